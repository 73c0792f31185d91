// Rules page of Caterpillar War: examples and words.
export default {
  examples: {
    step: { start: ".,.,.,.,.,.,.,./.,.,.,b,.,.,.,./.,b,b,.,.,.,.,./.,.,.,.,.,.,b,./.,.,.,.,.,w,.,./.,.,w,w,.,.,.,./.,.,.,.,.,.,w,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["f4-e5"] },
    straight: { start: ".,.,.,.,.,.,.,./.,.,.,.,.,.,b,./.,.,.,.,.,b,b,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,w,w,w,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["b3(d3)f3"] },
    turn: { start: ".,.,.,.,.,.,.,./.,b,b,.,.,.,.,./.,.,.,.,.,.,b,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,w,w,w,w,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["b3(e3)e6", "b7-b6", "e5(e3)g5"] },
    capture: { start: ".,.,.,.,.,.,.,./.,.,.,b,b,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,w,b,bb,.,.,./.,.,w,.,.,.,.,./.,.,w,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["c2(c4)e4"] },
    free: { start: ".,.,.,.,.,.,.,./.,.,.,.,.,.,b,./.,.,.,.,b,.,.,./.,.,.,w,b,.,.,./.,w,w,.,bw,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["e4-f4", "e6(e4)g4"] },
    stack: { start: ".,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,b,b,./.,.,.,b,.,.,.,./.,.,.,w,.,.,.,./.,w,w,w,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["b3(d3)d5"] },
    lose: { start: ".,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,w,w,bw,.,b,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: {}, moves: ["c3(e3)g3"] },
    stepCapture: { start: ".,.,.,.,.,.,.,./.,.,.,.,.,b,.,./.,.,b,.,.,b,.,./.,.,.,.,b,.,.,./.,.,.,w,.,.,.,./.,.,w,w,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: { step: "capture" }, moves: ["d4-e5", "f6-e5"] },
    noStep: { start: ".,.,.,.,.,.,.,./.,b,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,b,./.,.,w,w,w,.,b,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,. 1", options: { step: "none" }, moves: ["c3(e3)g3"] },
  },
  words: {
    en: {
      aim: "Leave your opponent without a move: capture their stones, bury them under yours, or shut them in.",
      board: [
        "A board of 8 by 8. Each player has fifteen stones: White in a triangle at the lower right, Black in a triangle at the upper left. White begins.",
        "Stones may lie on each other. A stack belongs to whoever has the top stone, and only top stones move.",
      ],
      parts: [
        { title: "A step", text: "One of your top stones goes to an empty square next to it, in any of the eight directions.", example: "step", notes: ["White can step with any stone. Look at f4.", "It went to e5, one square along the diagonal."] },
        { title: "A caterpillar, straight on", text: "Choose two or more of your stones in one line without gaps, straight or diagonal; it may be a part of a longer line. One end is the tower, the other the tail. The top stones of all but the tower are lifted and laid down beyond the tower, one a square. The tower stays.", example: "straight", notes: ["The tail is b3, the tower d3.", "Two stones crawled over d3 and lie on e3 and f3."] },
        { title: "A caterpillar round a corner", text: "Beyond the tower the caterpillar may go in any direction but back along itself. All its stones must find a square on the board.", example: "turn", notes: ["Four stones in a line. The tower is e3.", "Three stones turned upwards, to e4, e5 and e6.", "Black makes a step.", "Now a part of the line: e5 and e4 crawled over the tower e3, along the diagonal to f4 and g5. The stone on e6 was not in it."] },
        { title: "Capture", text: "A caterpillar may come down on enemy stones. On each square it captures the top stone only, and that stone leaves the board. What lay below stays there, under your stone.", example: "capture", notes: ["A black stone on d4, two black stones on e4.", "White took one from each. On e4 a black stone is still there, under the white one."] },
        { title: "What lies below comes free", text: "When a top stone leaves, the stone under it is the new top, and may move again.", example: "free", notes: ["On e4 a white stone lies on a black one.", "White stepped away, and the black stone on e4 is free.", "At once it is the tower of a black caterpillar, which captures on f4."] },
        { title: "Stacking", text: "A caterpillar's stone may come down on your own stones too. The stack grows by one.", example: "stack", notes: ["White stands on d4 already, Black on d5.", "On d4 there are two white stones now. The stone on d5 was captured."] },
        { title: "No move left", text: "If it is your turn and you have no move, you lose. Buried stones don't move.", example: "lose", notes: ["Black has g3, and a stone under e3.", "g3 is captured and the last black stone is buried. Black cannot move: White wins."] },
        { title: "Option: a step captures", text: "If you agree on it, a step may also come down on a stone of either colour, just as a caterpillar's stone does.", example: "stepCapture", notes: ["A game in which steps capture. d4 is next to e5.", "White stepped to e5 and captured.", "Black captured back, from f6."] },
        { title: "Option: no steps", text: "If you agree on it, there are caterpillars only. A stone without a neighbour of its colour then cannot move.", example: "noStep", notes: ["A game without steps. Black's only line is g3 and g4.", "g3 is gone. b7 and g4 stand alone, so Black has no move: White wins."] },
      ],
      options: [
        "A single stone steps to empty squares: as told above. This is the usual game.",
        "A single stone also captures: a step may come down on any stone, yours or theirs.",
        "A single stone does not step: caterpillars only.",
      ],
      end: [
        "A player with no move on their turn loses.",
        "It is a draw when the players agree on it, when the same position comes for the third time, after 200 moves in a row (both players counted) without a capture, after 40 such moves once neither side has more than three stones on the board, and after 1,000 moves.",
      ],
      notation: ["A step is written from-to: g5-f5.", "A caterpillar is written tail(tower)end: h5(d1)d5. The end is the square of its last stone."],
      readings: [
        "The source says that a single stone slides, and speaks of capture for caterpillars only. So a step captures nothing here, unless you choose the option.",
        "The first rules, of 1976, most likely had no steps at all. That is an option too.",
        "The corners are those of the game that the source wrote down. Endings with three stones or fewer are drawn as a rule, it says: hence the 40 moves.",
      ],
      hint: ["A long line strikes far. Watch the enemy's lines in all eight directions.", "Before a stack moves, look at what it sets free.", "Burying is as good as capturing, as long as your stone stays on top."],
    },
    nl: {
      aim: "Zorg dat je tegenstander geen zet meer heeft: sla de stenen, bedek ze met de jouwe of sluit ze in.",
      board: [
        "Een bord van 8 bij 8. Ieder heeft vijftien stenen: wit in een driehoek rechtsonder, zwart in een driehoek linksboven. Wit begint.",
        "Stenen mogen op elkaar liggen. Een stapel is van wie de bovenste steen heeft, en alleen bovenste stenen zetten.",
      ],
      parts: [
        { title: "Een stap", text: "Een van je bovenste stenen gaat naar een leeg veld ernaast, in een van de acht richtingen.", example: "step", notes: ["Wit kan met elke steen een stap doen. Kijk naar f4.", "Hij ging naar e5, één veld schuin."] },
        { title: "Een rups, rechtdoor", text: "Kies twee of meer van je stenen op één lijn zonder gaten, recht of schuin; het mag een deel van een langere lijn zijn. Het ene eind is de toren, het andere de staart. De bovenste stenen van alles behalve de toren worden opgetild en voorbij de toren neergelegd, één per veld. De toren blijft staan.", example: "straight", notes: ["De staart is b3, de toren d3.", "Twee stenen zijn over d3 gekropen en liggen op e3 en f3."] },
        { title: "Een rups de hoek om", text: "Voorbij de toren mag de rups elke kant op, behalve terug langs zichzelf. Al haar stenen moeten op het bord terechtkomen.", example: "turn", notes: ["Vier stenen op een rij. De toren is e3.", "Drie stenen zijn omhoog gegaan, naar e4, e5 en e6.", "Zwart doet een stap.", "Nu een deel van de rij: e5 en e4 kropen over de toren e3, schuin naar f4 en g5. De steen op e6 deed niet mee."] },
        { title: "Slaan", text: "Een rups mag op stenen van de ander neerkomen. Op elk veld slaat ze alleen de bovenste steen, en die gaat van het bord. Wat eronder lag blijft liggen, onder jouw steen.", example: "capture", notes: ["Een zwarte steen op d4, twee zwarte stenen op e4.", "Wit heeft er van elk één geslagen. Op e4 ligt nog een zwarte steen, onder de witte."] },
        { title: "Wat eronder ligt komt vrij", text: "Als een bovenste steen weggaat, ligt de steen eronder bovenop, en die mag weer zetten.", example: "free", notes: ["Op e4 ligt een witte steen op een zwarte.", "Wit stapte weg, en de zwarte steen op e4 is vrij.", "Meteen is hij de toren van een zwarte rups, die op f4 slaat."] },
        { title: "Stapelen", text: "Een steen van een rups mag ook op je eigen stenen neerkomen. De stapel wordt dan één hoger.", example: "stack", notes: ["Op d4 staat al een witte steen, op d5 een zwarte.", "Op d4 liggen nu twee witte stenen. De steen op d5 is geslagen."] },
        { title: "Geen zet meer", text: "Ben je aan de beurt en heb je geen zet, dan verlies je. Bedekte stenen kunnen niet zetten.", example: "lose", notes: ["Zwart heeft g3, en een steen onder e3.", "g3 is geslagen en de laatste zwarte steen is bedekt. Zwart kan niet zetten: wit wint."] },
        { title: "Optie: een stap slaat", text: "Als jullie dat afspreken, mag ook een stap op een steen neerkomen, van welke kleur ook, net als een steen van een rups.", example: "stepCapture", notes: ["Een partij waarin een stap ook slaat. d4 ligt naast e5.", "Wit stapte naar e5 en sloeg.", "Zwart sloeg terug, vanaf f6."] },
        { title: "Optie: geen stappen", text: "Als jullie dat afspreken, zijn er alleen rupsen. Een steen zonder buur van zijn kleur kan dan niet zetten.", example: "noStep", notes: ["Een partij zonder stappen. De enige zwarte rij is g3 met g4.", "g3 is weg. b7 en g4 staan alleen, dus zwart heeft geen zet: wit wint."] },
      ],
      options: [
        "Een enkele steen stapt naar lege velden: zoals hierboven verteld. Dit is het gewone spel.",
        "Een enkele steen slaat ook: een stap mag op elke steen neerkomen, van jou of van de ander.",
        "Een enkele steen stapt niet: alleen rupsen.",
      ],
      end: [
        "Wie aan de beurt is en geen zet heeft, verliest.",
        "Het is remise als jullie het afspreken, als dezelfde stelling er voor de derde keer is, na 200 zetten achter elkaar (van beiden samen) zonder slag, na 40 zulke zetten zodra geen van beiden meer dan drie stenen op het bord heeft, en na 1000 zetten.",
      ],
      notation: ["Een stap schrijf je van-naar: g5-f5.", "Een rups schrijf je staart(toren)eind: h5(d1)d5. Het eind is het veld van haar laatste steen."],
      readings: [
        "De bron laat een enkele steen schuiven en noemt slaan alleen bij rupsen. Daarom slaat een stap hier niet, tenzij je de optie kiest.",
        "In de eerste regels, van 1976, waren er hoogstwaarschijnlijk geen stappen. Ook dat is een optie.",
        "De hoeken zijn die van de partij die de bron heeft opgeschreven. Eindspelen met drie stenen of minder worden volgens de bron meestal remise: vandaar de 40 zetten.",
      ],
      hint: ["Een lange rij slaat ver. Let op de rijen van de ander, in alle acht richtingen.", "Kijk wat er vrijkomt voordat je van een stapel zet.", "Bedekken is zo goed als slaan, zolang jouw steen blijft liggen."],
    },
    sv: {
      aim: "Se till att motståndaren inte har något drag kvar: slå stenarna, begrav dem under dina eller stäng in dem.",
      board: [
        "Ett bräde på 8 gånger 8. Var och en har femton stenar: vit i en triangel nere till höger, svart i en triangel uppe till vänster. Vit börjar.",
        "Stenar får ligga på varandra. En stapel tillhör den som har den översta stenen, och bara de översta stenarna kan flyttas.",
      ],
      parts: [
        { title: "Ett steg", text: "En av dina översta stenar går till ett tomt fält intill, i någon av de åtta riktningarna.", example: "step", notes: ["Vit kan ta ett steg med vilken sten som helst. Se på f4.", "Den gick till e5, ett fält snett."] },
        { title: "En larv, rakt fram", text: "Välj två eller fler av dina stenar i en linje utan luckor, rakt eller snett; det får vara en del av en längre linje. Ena änden är tornet, den andra svansen. De översta stenarna på alla fält utom tornets lyfts och läggs bortom tornet, en på varje fält. Tornet står kvar.", example: "straight", notes: ["Svansen är b3, tornet d3.", "Två stenar har krupit över d3 och ligger på e3 och f3."] },
        { title: "En larv runt hörnet", text: "Bortom tornet får larven gå åt vilket håll som helst, utom tillbaka längs sig själv. Alla dess stenar måste få plats på brädet.", example: "turn", notes: ["Fyra stenar i rad. Tornet är e3.", "Tre stenar har vikt av uppåt, till e4, e5 och e6.", "Svart tar ett steg.", "Nu en del av raden: e5 och e4 kröp över tornet e3, snett till f4 och g5. Stenen på e6 var inte med."] },
        { title: "Slå", text: "En larv får landa på motståndarens stenar. På varje fält slår den bara den översta stenen, som lämnar brädet. Det som låg under ligger kvar, under din sten.", example: "capture", notes: ["En svart sten på d4, två svarta stenar på e4.", "Vit slog en på varje fält. På e4 ligger en svart sten kvar under den vita."] },
        { title: "Det som ligger under blir fritt", text: "När en översta sten lämnar fältet ligger stenen under den överst, och den kan dra igen.", example: "free", notes: ["På e4 ligger en vit sten på en svart.", "Vit tog ett steg bort, och den svarta stenen på e4 är fri.", "Genast är den torn i en svart larv, som slår på f4."] },
        { title: "Stapla", text: "En sten ur larven får också landa på dina egna stenar. Stapeln blir då en sten högre.", example: "stack", notes: ["På d4 står redan en vit sten, på d5 en svart.", "På d4 ligger nu två vita stenar. Stenen på d5 är slagen."] },
        { title: "Inget drag kvar", text: "Är det din tur och du inte har något drag, förlorar du. Begravda stenar kan inte dra.", example: "lose", notes: ["Svart har g3, och en sten under e3.", "g3 är slagen och den sista svarta stenen är begravd. Svart kan inte dra: vit vinner."] },
        { title: "Val: ett steg slår", text: "Om ni kommer överens om det får även ett steg landa på en sten, av vilken färg som helst, precis som en sten ur en larv.", example: "stepCapture", notes: ["Ett parti där steg slår. d4 ligger intill e5.", "Vit tog steget till e5 och slog.", "Svart slog tillbaka, från f6."] },
        { title: "Val: inga steg", text: "Om ni kommer överens om det finns bara larver. En sten utan granne i sin färg kan då inte dra.", example: "noStep", notes: ["Ett parti utan steg. Svarts enda rad är g3 och g4.", "g3 är borta. b7 och g4 står ensamma, så svart har inget drag: vit vinner."] },
      ],
      options: [
        "En ensam sten går till tomma fält: som ovan. Det är det vanliga spelet.",
        "En ensam sten slår också: ett steg får landa på vilken sten som helst, din eller motståndarens.",
        "En ensam sten går inte: bara larver.",
      ],
      end: [
        "Den som är vid draget och inte har något drag förlorar.",
        "Det blir remi när ni kommer överens om det, när samma ställning uppstår för tredje gången, efter 200 drag i följd (båda räknade) utan slag, efter 40 sådana drag när ingen har fler än tre stenar kvar på brädet, och efter 1 000 drag.",
      ],
      notation: ["Ett steg skrivs från-till: g5-f5.", "En larv skrivs svans(torn)slut: h5(d1)d5. Slutet är fältet där den sista stenen hamnar."],
      readings: [
        "Källan låter en ensam sten glida och talar om att slå bara när det gäller larver. Därför slår ett steg ingenting här, om du inte väljer det.",
        "De första reglerna, från 1976, hade med största sannolikhet inga steg alls. Även det går att välja.",
        "Hörnen är de som används i det parti som källan har skrivit upp. Slutspel med tre stenar eller färre blir enligt källan oftast remi: därav de 40 dragen.",
      ],
      hint: ["En lång rad når långt. Håll ögonen på motståndarens rader, i alla åtta riktningar.", "Se efter vad som blir fritt innan du drar med en stapel.", "Att begrava är lika bra som att slå, så länge din sten ligger kvar."],
    },
  },
};
