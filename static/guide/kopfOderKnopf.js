// Rules page of Kopf oder Knopf: examples and words.
export default {
  examples: {
    move: { start: ".,r,.,.,b,.,.,r,.,./.,.,.,.,.,.,.,.,r,./.,.,.,.,.,.,.,.,.,./.,.,r,.,.,.,.,.,b,./b,.,.,.,.,b,.,.,.,r/.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,b,./.,b,.,.,.,.,.,r,.,./.,.,.,.,.,.,.,.,.,./.,.,.,r,.,.,b,.,.,. 1 7:7", options: {}, moves: ["c7-c5", "f6-f8", "c5-d5"] },
    four: { start: ".,.,.,.,.,.,b,.,.,b/b,.,.,.,r,.,.,.,.,./.,r,.,.,.,.,.,.,.,./.,.,b,.,.,.,.,.,.,r/.,.,.,.,.,.,.,.,.,./.,r,.,.,.,.,.,.,.,./.,.,.,.,.,.,b,.,b,./.,.,.,.,.,.,.,.,.,./.,.,r,.,.,.,.,r,.,./.,.,.,r,.,.,b,.,.,. 1 7:7", options: {}, moves: ["e9-h6"] },
    jump: { start: ".,.,b,.,.,.,.,.,.,./.,.,.,.,.,b,.,.,r,./.,r,.,.,.,.,.,.,.,./.,.,.,.,.,.,b,.,.,r/.,r,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,r,b,r,.,.,.,./.,.,.,.,.,.,.,.,.,b/.,.,.,b,.,.,.,.,.,./.,b,.,.,.,.,.,r,.,. 1 7:7", options: {}, moves: ["d4-g4", "e4-e3"] },
    strike: { start: ".,.,.,.,.,.,.,.,.,./.,.,b,.,.,.,.,.,r,./.,r,.,.,.,b,.,.,.,./.,.,.,.,.,.,.,.,r,./.,.,.,.,.,.,.,.,.,./b,.,.,r,r,.,b,.,b,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,r,.,.,.,.,r,.,.,./.,.,.,.,b,.,.,.,.,b 1 7:7", options: {}, moves: ["i7-i4"] },
    shield: { start: ".,.,.,.,.,r,.,.,.,./b,.,.,.,.,.,.,.,.,./.,.,b,.,.,.,r,r,.,./.,.,.,.,.,.,.,.,.,./.,.,r,.,b,.,.,.,.,./.,.,.,.,.,.,.,.,.,b/.,.,r,.,.,.,.,b,.,./.,.,r,.,.,.,.,.,.,./.,.,.,.,.,b,.,.,.,r/.,.,b,.,.,.,.,.,.,. 1 7:7", options: {}, moves: ["f10-i10"] },
    penalty: { start: "b,.,.,.,r,.,.,.,.,./.,.,.,.,.,.,.,.,r,./.,r,.,.,.,b,.,.,.,./.,.,.,.,.,b,.,.,.,./.,.,.,.,b,.,.,.,.,r/r,.,.,.,.,.,.,.,.,./.,.,b,.,.,.,.,.,b,./.,.,.,.,.,.,.,.,.,./.,.,r,.,.,.,.,r,.,./.,.,.,.,.,b,.,.,.,. 1 7:7", options: {}, moves: ["xf7,j6-h6"] },
    all: { start: ".,.,.,.,.,.,.,.,.,./r,.,.,.,.,.,.,r,.,./.,.,b,.,r,.,.,.,.,./.,.,.,.,.,.,.,.,.,r/.,.,.,.,.,b,.,.,.,./.,.,.,.,b,.,.,.,.,./.,r,r,.,b,.,.,.,b,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,r,.,.,./b,.,.,.,.,b,.,.,.,. 1 7:7", options: {}, moves: ["xe4,h9-h7"] },
    winPenalty: { start: ".,.,.,.,r,.,.,.,.,./.,.,.,.,.,.,.,.,r,b/.,r,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,r/.,.,b,.,.,.,.,.,.,./.,.,.,.,.,.,b,.,.,./.,.,.,.,.,b,b,.,.,./.,.,r,.,.,.,.,r,.,./.,.,.,.,.,.,.,.,.,. 1 9:8", options: {}, moves: ["xf3"] },
    winStrike: { start: ".,.,.,.,.,b,.,.,r,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,r,r,.,b,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,b/.,.,b,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,r,.,.,b,.,.,.,.,./.,.,.,.,.,.,.,r,.,. 1 9:9", options: {}, moves: ["x"] },
    pass: { start: "r,.,b,.,.,b,.,.,r,./.,.,.,.,.,.,.,.,.,./b,.,b,.,.,.,.,.,.,./.,.,.,.,.,b,.,.,b,./.,.,.,.,.,.,.,.,.,./b,.,.,b,.,.,.,.,.,./.,.,.,.,.,b,.,.,r,./.,.,.,.,.,.,.,.,.,./r,.,.,b,.,.,.,.,.,./.,.,.,.,.,b,.,.,r,. 1 3:9", options: {}, moves: ["pass"] },
  },
  words: {
    en: {
      aim: "Remove ten of your opponent's buttons. Pairs of your own strike them; crowding costs.",
      board: [
        "A board of 10 by 10. Under every square lie one to four buttonholes. Each player has fourteen buttons, red or blue, which start alternately on a ring around the middle. Red begins.",
        "A turn has three parts, in this order: penalty, strike, move. The first two only come when there is something to take.",
      ],
      parts: [
        { title: "The move", text: "You must move one of your buttons in one of the eight directions, exactly as many squares as there are holes under it. The square where it lands must be free.", example: "move", notes: ["The red button on c7 lies on two holes.", "It went two squares, to c5. There is one hole under it now.", "Blue goes two squares too, from f6 to f8.", "With one hole, the red button goes one square."] },
        { title: "The four", text: "From a square with four holes you may go one, two, three or four squares.", example: "four", notes: ["The red button on e9 lies on four holes.", "Red chose three squares, along the diagonal to h6."] },
        { title: "Jumping over", text: "Anything on the way may be jumped over, of either colour. A move never strikes.", example: "jump", notes: ["d4 has three holes. On the way to g4 lie a blue and a red button.", "Red jumped over both. f4 and g4 are a pair now, and e4 is in its line: at Red's next turn it would be struck.", "Blue moves it out of the line."] },
        { title: "A pair strikes", text: "Two of your buttons that touch, by an edge or a corner, and touch no third one are a pair. At the start of your turn each pair strikes along its own line, outwards at both ends. It reaches as many squares as there are holes under both together. At each end the nearest button is struck if it is your opponent's.", example: "strike", notes: ["Red's pair d5–e5 lies on two and two holes: it reaches four squares. On its line are a5, g5 and i5.", "a5 and g5 were struck before the move. i5 lay behind g5 and is safe for now. Then Red moved."] },
        { title: "A shield, and the reach", text: "A button of your own in between stops the strike. So does a distance beyond the reach.", example: "shield", notes: ["Two red pairs, c3–c4 and g8–h8. Both point at c8. The first also points at c1.", "c1 was struck. c8 was not: seen from c4, Red's own c6 is in front of it, and from g8 it is four squares away while the pair reaches three."] },
        { title: "The penalty", text: "If three or more of your opponent's buttons hang together, by edges or corners, you may remove one of them at the start of your turn, whichever you like. Each such group costs one. Buttons in such a group strike nothing.", example: "penalty", notes: ["The blue buttons e6, f7 and f8 hang together.", "Red took f7 and then moved. What is left hangs together no longer."] },
        { title: "All in one turn", text: "First the penalty, then the strike, then the move. A penalty may open the line for a strike.", example: "all", notes: ["Blue has a group, e4, e5 and f6. Red's pair b4–c4 reaches seven squares, but e4 is in front.", "Red took e4 as the penalty. That opened the line, and the pair struck i4. Last came the move, h9 to h7."] },
        { title: "Winning with the penalty", text: "Ten removed buttons win at once, before any move. Penalty and strike both count.", example: "winPenalty", notes: ["Red has removed nine. Blue has a group, f3, g3 and g4.", "Red took f3, the tenth, and wins."] },
        { title: "Winning with the strike", text: "If the strikes alone bring you to ten, you have won; there is no move to make.", example: "winStrike", notes: ["Red has removed nine. The pair d7–e7 reaches five squares, and g7 is in its line.", "g7 was struck, the tenth. Red wins."] },
        { title: "Passing", text: "If none of your buttons can move, the turn passes. It is rare.", example: "pass", notes: ["Every square that a red button could reach is taken.", "Red passed. It is Blue's turn."] },
      ],
      options: [
        "To ten: ten removed buttons win. This is the usual game.",
        "To eight: a shorter game, as the source itself suggests.",
      ],
      end: [
        "Ten removed buttons win at once (eight in the shorter game). Both counts are always in view.",
        "It is a draw when the players agree on it, when the same position comes for the third time, after 200 moves in a row (both players counted) in which no button was removed, and after 1,000 moves.",
      ],
      notation: ["A move is written from-to: b2-b5. What the penalty takes comes first: xf3,b2-b5, or xc7xf3,b2-b5. Strikes are not written.", "A pass is written pass. When the game is won before the move there is only the penalty, xf3, or just x."],
      readings: [
        "The source says: never more than two together, and then names the price. So here you may do it, and pay.",
        "The source says that a pair may strike. Here it strikes by itself: we found no case where you would want to leave a button standing.",
        "Board and start are those of the published booklet.",
      ],
      hint: ["Before you move, see whose line you enter.", "Make a pair that points at something in both directions.", "A button on four holes gets almost anywhere. Keep one."],
    },
    nl: {
      aim: "Haal tien knopen van je tegenstander weg. Jouw paren slaan ze; samenklonteren kost je knopen.",
      board: [
        "Een bord van 10 bij 10. Onder elk veld zitten een tot vier knoopsgaatjes. Ieder heeft veertien knopen, rood of blauw, die om en om op een ring rond het midden beginnen. Rood begint.",
        "Een beurt heeft drie delen, in deze volgorde: boete, slag, zet. De eerste twee komen alleen als er iets te halen is.",
      ],
      parts: [
        { title: "De zet", text: "Je moet een van je knopen in een van de acht richtingen verzetten, precies zoveel velden als er gaatjes onder zitten. Het veld waar hij uitkomt moet vrij zijn.", example: "move", notes: ["De rode knoop op c7 ligt op twee gaatjes.", "Hij ging twee velden, naar c5. Nu zit er één gaatje onder.", "Blauw gaat ook twee velden, van f6 naar f8.", "Met één gaatje gaat de rode knoop één veld."] },
        { title: "De vier", text: "Vanaf een veld met vier gaatjes mag je één, twee, drie of vier velden gaan.", example: "four", notes: ["De rode knoop op e9 ligt op vier gaatjes.", "Rood koos drie velden, schuin naar h6."] },
        { title: "Eroverheen", text: "Over alles wat onderweg ligt mag je heen, van welke kleur ook. Een zet slaat nooit.", example: "jump", notes: ["d4 heeft drie gaatjes. Op weg naar g4 liggen een blauwe en een rode knoop.", "Rood ging over beide heen. f4 en g4 zijn nu een paar, en e4 ligt in hun lijn: in de volgende beurt van rood zou die geslagen worden.", "Blauw haalt hem uit de lijn."] },
        { title: "Een paar slaat", text: "Twee knopen van jou die elkaar raken, met een zijde of een hoek, en geen derde raken, zijn een paar. Aan het begin van je beurt slaat elk paar langs zijn eigen lijn, aan beide einden naar buiten. Het reikt zoveel velden als er gaatjes onder beide samen zitten. Aan elk eind wordt de eerste knoop geslagen, als die van je tegenstander is.", example: "strike", notes: ["Het rode paar d5–e5 ligt op twee en twee gaatjes: het reikt vier velden. Op zijn lijn liggen a5, g5 en i5.", "a5 en g5 zijn geslagen, nog voor de zet. i5 lag achter g5 en is nu nog veilig. Daarna zette rood."] },
        { title: "Een schild, en het bereik", text: "Een eigen knoop ertussen houdt de slag tegen. Een afstand groter dan het bereik ook.", example: "shield", notes: ["Twee rode paren, c3–c4 en g8–h8. Beide wijzen naar c8. Het eerste wijst ook naar c1.", "c1 is geslagen. c8 niet: vanaf c4 ligt de rode c6 ervoor, en vanaf g8 is het vier velden terwijl het paar er drie reikt."] },
        { title: "De boete", text: "Hangen drie of meer knopen van je tegenstander aan elkaar, met zijden of hoeken, dan mag je er aan het begin van je beurt een weghalen, welke je wilt. Elke groep kost er één. Knopen in zo'n groep slaan niets.", example: "penalty", notes: ["De blauwe knopen e6, f7 en f8 hangen aan elkaar.", "Rood nam f7 en zette daarna. Wat over is, hangt niet meer aan elkaar."] },
        { title: "Alles in één beurt", text: "Eerst de boete, dan de slag, dan de zet. Een boete kan de lijn vrijmaken voor een slag.", example: "all", notes: ["Blauw heeft een groep, e4, e5 en f6. Het rode paar b4–c4 reikt zeven velden, maar e4 ligt ervoor.", "Rood nam e4 als boete. Daarmee was de lijn vrij, en het paar sloeg i4. Als laatste kwam de zet, h9 naar h7."] },
        { title: "Winnen met de boete", text: "Bij tien weggehaalde knopen heb je meteen gewonnen, nog voor een zet. Boete en slag tellen allebei.", example: "winPenalty", notes: ["Rood heeft er negen weggehaald. Blauw heeft een groep, f3, g3 en g4.", "Rood nam f3, de tiende, en wint."] },
        { title: "Winnen met de slag", text: "Brengen de slagen alleen je al op tien, dan heb je gewonnen; je hoeft niet meer te zetten.", example: "winStrike", notes: ["Rood heeft er negen weggehaald. Het paar d7–e7 reikt vijf velden, en g7 ligt in zijn lijn.", "g7 is geslagen, de tiende. Rood wint."] },
        { title: "Passen", text: "Kan geen van je knopen zetten, dan gaat de beurt voorbij. Dat is zeldzaam.", example: "pass", notes: ["Elk veld dat een rode knoop zou kunnen bereiken is bezet.", "Rood paste. Blauw is aan de beurt."] },
      ],
      options: [
        "Tot tien: tien weggehaalde knopen winnen. Dit is het gewone spel.",
        "Tot acht: een kortere partij, zoals de bron zelf aanraadt.",
      ],
      end: [
        "Bij tien weggehaalde knopen is het meteen gewonnen (bij acht in het kortere spel). Je ziet altijd hoeveel ieder er heeft.",
        "Het is remise als jullie het afspreken, als dezelfde stelling er voor de derde keer is, na 200 zetten achter elkaar (van beiden samen) waarin geen knoop werd weggehaald, en na 1000 zetten.",
      ],
      notation: ["Een zet schrijf je van-naar: b2-b5. Wat de boete wegneemt komt ervoor: xf3,b2-b5, of xc7xf3,b2-b5. Slagen worden niet geschreven.", "Passen schrijf je als pass. Is er voor de zet al gewonnen, dan staat er alleen de boete, xf3, of alleen x."],
      readings: [
        "De bron zegt: nooit meer dan twee bij elkaar, en noemt dan de prijs ervan. Daarom mag het hier, en betaal je.",
        "De bron zegt dat een paar mag slaan. Hier slaat het vanzelf: we vonden geen geval waarin je een knoop zou willen laten staan.",
        "Bord en beginstelling zijn die van het uitgegeven boekje.",
      ],
      hint: ["Kijk voor je zet in wiens lijn je komt.", "Maak een paar dat aan beide kanten ergens naar wijst.", "Een knoop op vier gaatjes komt bijna overal. Houd er een."],
    },
    sv: {
      aim: "Ta bort tio av motståndarens knappar. Dina par slår dem; att trängas kostar knappar.",
      board: [
        "Ett bräde på 10 gånger 10. Under varje fält finns ett till fyra knapphål. Var och en har fjorton knappar, röda eller blå, som börjar varannan på en ring runt mitten. Röd börjar.",
        "Varje tur har tre delar, i den här ordningen: straff, slag, drag. De två första kommer bara när det finns något att ta.",
      ],
      parts: [
        { title: "Draget", text: "Du måste flytta en av dina knappar i någon av de åtta riktningarna, precis så många fält som det finns hål under den. Fältet där den hamnar måste vara ledigt.", example: "move", notes: ["Den röda knappen på c7 ligger på två hål.", "Den gick två fält, till c5. Nu finns ett hål under den.", "Blå går också två fält, från f6 till f8.", "Med ett hål går den röda knappen ett fält."] },
        { title: "Fyran", text: "Från ett fält med fyra hål får du gå ett, två, tre eller fyra fält.", example: "four", notes: ["Den röda knappen på e9 ligger på fyra hål.", "Röd valde tre fält, snett till h6."] },
        { title: "Hoppa över", text: "Du får gå över allt som ligger i vägen, av vilken färg som helst. Ett drag slår aldrig.", example: "jump", notes: ["d4 har tre hål. På vägen till g4 ligger en blå och en röd knapp.", "Röd gick över båda. f4 och g4 är nu ett par, och e4 ligger i deras linje: i röds nästa tur skulle den bli slagen.", "Blå flyttar den ur linjen."] },
        { title: "Ett par slår", text: "Två av dina knappar som rör vid varandra, med en sida eller ett hörn, och inte vid någon tredje, är ett par. I början av din tur slår varje par längs sin egen linje, utåt i båda ändar. Det når så många fält som det finns hål under båda tillsammans. I varje ände slås den närmaste knappen, om den är motståndarens.", example: "strike", notes: ["Röds par d5–e5 ligger på två och två hål: det når fyra fält. På linjen ligger a5, g5 och i5.", "a5 och g5 slogs före draget. i5 låg bakom g5 och är säker för stunden. Sedan drog röd."] },
        { title: "En sköld, och räckvidden", text: "En egen knapp emellan stoppar slaget. Det gör också ett avstånd bortom räckvidden.", example: "shield", notes: ["Två röda par, c3–c4 och g8–h8. Båda pekar mot c8. Det första pekar också mot c1.", "c1 slogs. c8 slogs inte: från c4 ligger röds egen c6 framför, och från g8 är det fyra fält medan paret når tre."] },
        { title: "Straffet", text: "Hänger tre eller fler av motståndarens knappar ihop, med sidor eller hörn, får du ta bort en av dem i början av din tur, vilken du vill. Varje sådan grupp kostar en. Knappar i en sådan grupp slår ingenting.", example: "penalty", notes: ["De blå knapparna e6, f7 och f8 hänger ihop.", "Röd tog f7 och drog sedan. De som är kvar hänger inte längre ihop."] },
        { title: "Allt i en tur", text: "Först straffet, sedan slaget, sedan draget. Ett straff kan öppna linjen för ett slag.", example: "all", notes: ["Blå har en grupp, e4, e5 och f6. Röds par b4–c4 når sju fält, men e4 ligger framför.", "Röd tog e4 som straff. Det öppnade linjen, och paret slog i4. Sist kom draget, h9 till h7."] },
        { title: "Vinna med straffet", text: "Tio borttagna knappar vinner genast, före något drag. Straff och slag räknas båda.", example: "winPenalty", notes: ["Röd har tagit bort nio. Blå har en grupp, f3, g3 och g4.", "Röd tog f3, den tionde, och vinner."] },
        { title: "Vinna med slaget", text: "Når du tio redan genom slagen har du vunnit; inget drag behövs.", example: "winStrike", notes: ["Röd har tagit bort nio. Paret d7–e7 når fem fält, och g7 ligger i dess linje.", "g7 slogs, den tionde. Röd vinner."] },
        { title: "Passa", text: "Kan ingen av dina knappar dra går turen vidare. Det är ovanligt.", example: "pass", notes: ["Varje fält som en röd knapp skulle kunna nå är upptaget.", "Röd passade. Det är blås tur."] },
      ],
      options: [
        "Till tio: tio borttagna knappar vinner. Det är det vanliga spelet.",
        "Till åtta: ett kortare parti, som källan själv föreslår.",
      ],
      end: [
        "Tio borttagna knappar vinner genast (åtta i det kortare spelet). Du ser alltid hur många var och en har.",
        "Det blir remi när ni kommer överens om det, när samma ställning uppstår för tredje gången, efter 200 drag i följd (båda räknade) där ingen knapp togs bort, och efter 1 000 drag.",
      ],
      notation: ["Ett drag skrivs från-till: b2-b5. Det som straffet tar kommer först: xf3,b2-b5, eller xc7xf3,b2-b5. Slag skrivs inte ut.", "Att passa skrivs pass. Är partiet vunnet före draget skrivs bara straffet, xf3, eller bara x."],
      readings: [
        "Källan säger: aldrig fler än två tillsammans, och nämner sedan priset. Därför får du göra det här, och betala.",
        "Källan säger att ett par får slå. Här slår det av sig självt: vi fann inget fall där du skulle vilja låta en knapp stå kvar.",
        "Bräde och utgångsställning är de i det utgivna häftet.",
      ],
      hint: ["Se efter vems linje du hamnar i innan du drar.", "Gör ett par som pekar på något åt båda hållen.", "En knapp på fyra hål kommer nästan överallt. Behåll en."],
    },
  },
};
