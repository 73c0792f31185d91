// Rules page of Wie niet weg is: examples and words.
export default {
  examples: {
    place: { start: null, options: {}, moves: ["c3", "d5"] },
    step: { start: "#,#,.,.,#,#/#,.,.,W,.,#/.,W,.,.,r,./.,.,w,.,.,R/#,R,.,.,w,#/#,#,r,.,#,# 1 0:0 4:4", options: {}, moves: ["c3-d4"] },
    diagonal: { start: "#,#,.,W,#,#/#,.,.,.,.,#/.,r,.,.,W,R/.,.,r,.,.,./#,w,.,.,w,#/#,#,.,R,#,# 1 0:0 4:4", options: {}, moves: ["b2-d4"] },
    turn: { start: "#,#,R,.,#,#/#,r,.,.,w,#/.,.,.,.,r,./.,w,r,.,.,W/#,.,.,.,.,#/#,#,.,W,#,# 1 0:0 4:4", options: {}, moves: ["b3-d3"] },
    long: { start: "#,#,.,W,#,#/#,.,.,.,.,#/W,r,w,R,.,./.,.,.,.,.,./#,R,r,.,w,#/#,#,.,.,#,# 1 0:0 4:4", options: {}, moves: ["a4-e4"] },
    remove: { start: "#,#,.,.,#,#/#,r,.,.,.,#/.,.,.,.,r,./W,W,R,w,W,./#,.,.,.,.,#/#,#,w,.,#,# 1 0:0 3:5", options: {}, moves: ["a3-f3"] },
    win: { start: "#,#,.,.,#,#/#,.,W,.,.,#/.,.,W,r,.,./.,r,.,.,.,./#,.,.,.,R,#/#,#,.,.,#,# 1 0:0 6:5", options: {}, moves: ["c5-c3"] },
    mixed: { start: "#,#,.,.,#,#/#,.,.,.,W,#/.,r,.,.,.,./.,w,.,.,.,R/#,W,r,R,.,#/#,#,.,.,#,# 1 0:0 5:4", options: { mixed: "forbidden" }, moves: ["b2-e2"] },
  },
  words: {
    en: {
      aim: "Get your own stones off the board. The first player with seven stones off wins.",
      board: [
        "A board of 24 tiles. Each player has eight stones, white or red, with a circle on one face. All begin circle down and beside the board.",
        "White begins. Who plays White is drawn by lot, unless the challenge says otherwise.",
      ],
      parts: [
        { title: "Placing", text: "In turn, each of you puts one stone of the other player on a free tile, circle down. When all sixteen lie there, White makes the first move.", example: "place", notes: ["The board is empty. White places a red stone.", "The red stone lies on c3. Red places a white one.", "The white stone lies on d5. So it goes on until all are on the board."] },
        { title: "A step", text: "One of your stones goes to a free tile next to it, in any of the eight directions.", example: "step", notes: ["White is to move. Look at c3.", "It stepped to d4, along the diagonal."] },
        { title: "A diagonal jump", text: "A stone that lies circle down jumps over exactly one stone next to it, of either colour, to the free tile just behind. Jumping along a diagonal changes nothing else. One jump a turn.", example: "diagonal", notes: ["The white stone on b2 lies circle down. Red lies on c3 and d4 is free.", "It jumped to d4, and still lies circle down."] },
        { title: "The first straight jump turns the stone", text: "When a stone jumps along a row or a column for the first time, it turns circle up and stays so. This jump removes nothing yet.", example: "turn", notes: ["The white stone on b3 lies circle down. Red lies on c3 and d3 is free.", "A jump along the row: on d3 the stone now lies circle up."] },
        { title: "Circle up: the long jump", text: "A stone that lies circle up may jump over a line of one or more stones, of any colours, without gaps, to the free tile just behind the last. This goes for all eight directions.", example: "long", notes: ["The white stone on a4 lies circle up. On b4, c4 and d4 there are three stones in a row.", "It jumped over all three, to e4. No white circle-up stone was among them, so nothing is removed."] },
        { title: "Off the board", text: "If a stone that already lay circle up jumps along a row or a column, all stones of its own colour that it passes and that lie circle up leave the board. Stones of the other colour stay, and so do your own that lie circle down. A diagonal jump removes nothing.", example: "remove", notes: ["a3 lies circle up. In the row are white stones circle up on b3 and e3, a red one on c3, and a white one circle down on d3.", "White jumped to f3. b3 and e3 are off; c3 and d3 stay."] },
        { title: "Seven stones off", text: "With your seventh stone off the board you have won.", example: "win", notes: ["White has six stones off. c5 and c4 lie circle up.", "c5 jumped over c4 and took it off: the seventh. White wins."] },
        { title: "Passing", text: "Without a move you would pass. On this board it cannot happen: it takes nine stones to shut in your last two, and your opponent has eight." },
        { title: "Option: no mixed lines", text: "If you agree on it, you may not jump over a line that holds both colours. This is harder.", example: "mixed", notes: ["A game without mixed lines. b2 lies circle up. Above it are a white and a red stone: it may not jump there. Along the row both stones are red.", "White jumped over two red stones, to e2."] },
      ],
      options: [
        "Mixed lines allowed: a long jump may pass both colours. This is the usual game.",
        "Mixed lines forbidden: a jump may pass stones of one colour only.",
      ],
      end: [
        "The first player with seven stones off the board wins.",
        "It is a draw when the players agree on it, when the same position comes for the third time, after 200 moves in a row (both players counted, after the placing) in which no stone left the board, and after 1,000 moves.",
      ],
      notation: ["A placed stone is written as its tile: c3.", "A step or jump is written from-to: c3-e3. A pass is written pass."],
      readings: [
        "The picture of the tiles is lost. The figures of the source need a stone with four straight jumps and a straight line of six tiles. Of all fully symmetric boards of 24 tiles only this one has both.",
        "Stones leave the board by themselves; you needn't choose.",
        "The player who placed first also moves first.",
      ],
      hint: ["Place your opponent's stones where straight jumps are hard to find.", "Turn several stones early: one alone takes nothing off.", "Line up your circle-up stones, with a free tile at the end."],
    },
    nl: {
      aim: "Krijg je eigen stenen van het bord. Wie als eerste zeven stenen van het bord heeft, wint.",
      board: [
        "Een bord van 24 tegels. Ieder heeft acht stenen, wit of rood, met een cirkel op één kant. Ze beginnen met de cirkel omlaag, naast het bord.",
        "Wit begint. Wie wit speelt wordt geloot, tenzij de uitdaging iets anders zegt.",
      ],
      parts: [
        { title: "Neerleggen", text: "Om de beurt leg je een steen van de ander op een vrije tegel, met de cirkel omlaag. Liggen alle zestien er, dan doet wit de eerste zet.", example: "place", notes: ["Het bord is leeg. Wit legt een rode steen.", "De rode steen ligt op c3. Rood legt een witte.", "De witte steen ligt op d5. Zo gaat het door tot alle stenen liggen."] },
        { title: "Een stap", text: "Een van je stenen gaat naar een vrije tegel ernaast, in een van de acht richtingen.", example: "step", notes: ["Wit is aan zet. Kijk naar c3.", "Die stapte schuin naar d4."] },
        { title: "Een schuine sprong", text: "Een steen met de cirkel omlaag springt over precies één steen ernaast, van welke kleur ook, naar de vrije tegel vlak erachter. Schuin springen verandert verder niets. Eén sprong per beurt.", example: "diagonal", notes: ["De witte steen op b2 ligt met de cirkel omlaag. Op c3 ligt rood en d4 is vrij.", "Hij sprong naar d4, en ligt nog steeds met de cirkel omlaag."] },
        { title: "De eerste rechte sprong draait de steen om", text: "Springt een steen voor het eerst langs een rij of kolom, dan draait hij om: de cirkel komt boven en blijft boven. Deze sprong haalt nog niets weg.", example: "turn", notes: ["De witte steen op b3 ligt met de cirkel omlaag. Op c3 ligt rood en d3 is vrij.", "Een sprong langs de rij: op d3 ligt de steen nu met de cirkel boven."] },
        { title: "Cirkel boven: de lange sprong", text: "Een steen met de cirkel boven mag over een rij van een of meer stenen zonder gaten springen, van welke kleuren ook, naar de vrije tegel vlak achter de laatste. Dat mag in alle acht richtingen.", example: "long", notes: ["De witte steen op a4 heeft de cirkel boven. Op b4, c4 en d4 liggen drie stenen op een rij.", "Hij sprong over alle drie naar e4. Er was geen witte steen met de cirkel boven bij, dus er gaat niets weg."] },
        { title: "Van het bord", text: "Springt een steen die de cirkel al boven had langs een rij of kolom, dan gaan alle stenen van zijn eigen kleur met de cirkel boven waar hij overheen gaat van het bord. Stenen van de ander blijven, en je eigen stenen met de cirkel omlaag ook. Een schuine sprong haalt niets weg.", example: "remove", notes: ["a3 heeft de cirkel boven. In de rij liggen wit met de cirkel boven op b3 en e3, rood op c3, en wit met de cirkel omlaag op d3.", "Wit sprong naar f3. b3 en e3 zijn eraf; c3 en d3 blijven."] },
        { title: "Zeven stenen eraf", text: "Is je zevende steen van het bord, dan heb je gewonnen.", example: "win", notes: ["Wit heeft zes stenen eraf. c5 en c4 hebben de cirkel boven.", "c5 sprong over c4 en haalde die weg: de zevende. Wit wint."] },
        { title: "Passen", text: "Zonder zet zou je passen. Op dit bord kan dat niet voorkomen: om je laatste twee stenen in te sluiten zijn er negen nodig, en je tegenstander heeft er acht." },
        { title: "Optie: geen gemengde rijen", text: "Als jullie dat afspreken, mag je niet springen over een rij waarin beide kleuren liggen. Dat is moeilijker.", example: "mixed", notes: ["Een partij zonder gemengde rijen. b2 heeft de cirkel boven. Erboven liggen een witte en een rode steen: daar mag hij niet overheen. In de rij zijn beide stenen rood.", "Wit sprong over twee rode stenen naar e2."] },
      ],
      options: [
        "Gemengde rijen mogen: een lange sprong mag over beide kleuren gaan. Dit is het gewone spel.",
        "Gemengde rijen mogen niet: een sprong mag maar over één kleur gaan.",
      ],
      end: [
        "Wie het eerst zeven stenen van het bord heeft, wint.",
        "Het is remise als jullie het afspreken, als dezelfde stelling er voor de derde keer is, na 200 zetten achter elkaar (van beiden samen, na het neerleggen) waarin geen steen van het bord ging, en na 1000 zetten.",
      ],
      notation: ["Een neergelegde steen schrijf je als de tegel: c3.", "Een stap of sprong schrijf je van-naar: c3-e3. Passen schrijf je als pass."],
      readings: [
        "Het plaatje van de tegels is verloren gegaan. De figuren van de bron vragen een steen met vier rechte sprongen en een rechte lijn van zes tegels. Van alle volledig symmetrische borden van 24 tegels heeft alleen dit bord beide.",
        "Stenen gaan vanzelf van het bord; je hoeft niet te kiezen.",
        "Wie het eerst neerlegt, zet ook het eerst.",
      ],
      hint: ["Leg de stenen van de ander waar rechte sprongen lastig te vinden zijn.", "Draai vroeg meer dan één steen om: één alleen haalt niets weg.", "Zet je stenen met de cirkel boven op een rij, met een vrije tegel aan het eind."],
    },
    sv: {
      aim: "Få bort dina egna stenar från brädet. Den som först har sju stenar borta vinner.",
      board: [
        "Ett bräde med 24 plattor. Var och en har åtta stenar, vita eller röda, med en cirkel på ena sidan. Alla börjar med cirkeln nedåt, bredvid brädet.",
        "Vit börjar. Vem som spelar vit lottas, om inte utmaningen säger något annat.",
      ],
      parts: [
        { title: "Lägga ut", text: "I tur och ordning lägger ni ut varandras stenar: du lägger en av motståndarens på en ledig platta, med cirkeln nedåt. När alla sexton ligger gör vit första draget.", example: "place", notes: ["Brädet är tomt. Vit lägger en röd sten.", "Den röda stenen ligger på c3. Röd lägger en vit.", "Den vita stenen ligger på d5. Så fortsätter det tills alla ligger på brädet."] },
        { title: "Ett steg", text: "En av dina stenar går till en ledig platta intill, i någon av de åtta riktningarna.", example: "step", notes: ["Vit är vid draget. Se på c3.", "Den tog ett steg snett till d4."] },
        { title: "Ett snett hopp", text: "En sten med cirkeln nedåt hoppar över precis en sten intill, av vilken färg som helst, till den lediga plattan strax bakom. Ett snett hopp ändrar inget annat. Ett hopp per drag.", example: "diagonal", notes: ["Den vita stenen på b2 har cirkeln nedåt. På c3 ligger röd och d4 är ledig.", "Den hoppade till d4, och har fortfarande cirkeln nedåt."] },
        { title: "Första raka hoppet vänder stenen", text: "När en sten för första gången hoppar längs en rad eller kolumn vänds den: cirkeln kommer upp och förblir uppe. Det hoppet tar inte bort något än.", example: "turn", notes: ["Den vita stenen på b3 har cirkeln nedåt. På c3 ligger röd och d3 är ledig.", "Ett hopp längs raden: på d3 ligger stenen nu med cirkeln uppåt."] },
        { title: "Cirkeln uppåt: det långa hoppet", text: "En sten med cirkeln uppåt får hoppa över en eller flera stenar i rad utan luckor, av vilka färger som helst, till den lediga plattan strax bakom den sista. Det gäller i alla åtta riktningar.", example: "long", notes: ["Den vita stenen på a4 har cirkeln uppåt. På b4, c4 och d4 ligger tre stenar i rad.", "Den hoppade över alla tre, till e4. Ingen vit sten med cirkeln uppåt var med, så inget försvinner."] },
        { title: "Bort från brädet", text: "När en sten som redan hade cirkeln uppåt hoppar längs en rad eller kolumn lämnar alla stenar av dess egen färg med cirkeln uppåt, som den hoppar över, brädet. Motståndarens stenar ligger kvar, och dina egna med cirkeln nedåt likaså. Ett snett hopp tar inte bort något.", example: "remove", notes: ["a3 har cirkeln uppåt. I raden ligger vitt med cirkeln uppåt på b3 och e3, rött på c3, och vitt med cirkeln nedåt på d3.", "Vit hoppade till f3. b3 och e3 är borta; c3 och d3 ligger kvar."] },
        { title: "Sju stenar borta", text: "När din sjunde sten har lämnat brädet har du vunnit.", example: "win", notes: ["Vit har sex stenar borta. c5 och c4 har cirkeln uppåt.", "c5 hoppade över c4 och tog bort den: den sjunde. Vit vinner."] },
        { title: "Passa", text: "Utan drag skulle du passa. På det här brädet kan det inte hända: det krävs nio stenar för att stänga in dina två sista, och motståndaren har åtta." },
        { title: "Val: inga blandade rader", text: "Om ni kommer överens om det får du inte hoppa över en rad där båda färgerna ligger. Det är svårare.", example: "mixed", notes: ["Ett parti utan blandade rader. b2 har cirkeln uppåt. Ovanför ligger en vit och en röd sten: dem får den inte hoppa över. I raden är båda stenarna röda.", "Vit hoppade över två röda stenar, till e2."] },
      ],
      options: [
        "Blandade rader tillåtna: ett långt hopp får gå över båda färgerna. Det är det vanliga spelet.",
        "Blandade rader förbjudna: ett hopp får bara gå över stenar av en färg.",
      ],
      end: [
        "Den som först har sju stenar borta från brädet vinner.",
        "Det blir remi när ni kommer överens om det, när samma ställning uppstår för tredje gången, efter 200 drag i följd (båda räknade, efter utläggningen) där ingen sten lämnat brädet, och efter 1 000 drag.",
      ],
      notation: ["En utlagd sten skrivs som plattan: c3.", "Ett steg eller hopp skrivs från-till: c3-e3. Att passa skrivs pass."],
      readings: [
        "Bilden av plattorna har gått förlorad. Källans figurer kräver en sten med fyra raka hopp och en rak linje på sex plattor. Av alla helt symmetriska bräden med 24 plattor har bara det här båda.",
        "Stenar lämnar brädet av sig själva; du behöver inte välja.",
        "Den som lägger först drar också först.",
      ],
      hint: ["Lägg motståndarens stenar där raka hopp är svåra att hitta.", "Vänd flera stenar tidigt: en ensam tar inte bort något.", "Ställ dina stenar med cirkeln uppåt i rad, med en ledig platta i slutet."],
    },
  },
};
