// Rules page of Hogga: examples and words.
export default {
  examples: {
    step: { start: null, options: {}, moves: ["b10-b9", "g4-f5"] },
    jump: { start: null, options: {}, moves: ["e11-g13"] },
    long: { start: null, options: {}, moves: ["c11-g11"] },
    chain: { start: "b,.,b,.,b,.,.,.,.,.,.,./.,b,.,b,.,b,.,.,.,.,.,./b,.,b,.,.,.,.,.,.,.,.,./.,B,.,B,.,B,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,w,./.,.,.,.,b,w,.,.,w,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,W,.,W,.,W,./.,.,.,.,.,.,.,.,.,.,.,w/.,.,.,.,.,.,w,.,w,.,.,./.,.,.,.,.,.,.,w,.,w,.,w 1", options: {}, moves: ["e6-k8"] },
    hogga: { start: null, options: {}, moves: ["b10-c9"] },
    dots: { start: "b,.,b,.,b,.,.,.,.,.,.,./.,b,.,b,.,b,.,.,.,.,.,./b,.,b,.,.,.,.,.,.,.,.,./.,B,.,B,.,B,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,b,.,.,W,.,.,.,./.,.,.,.,.,w,.,w,.,.,.,./.,.,.,.,.,.,.,.,W,.,W,./.,.,.,.,.,.,.,.,.,w,.,w/.,.,.,.,.,.,.,.,w,.,w,./.,.,.,.,.,.,.,w,.,w,.,w 1", options: {}, moves: ["e6-i6"] },
    home: { start: ".,w,.,W,.,w,.,.,.,.,.,./w,.,W,.,w,.,.,.,.,.,.,./.,W,.,w,.,w,.,.,.,.,.,./w,.,w,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,w,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,b,.,.,.,.,./.,.,.,.,.,.,.,.,.,b,.,b/.,.,.,.,.,.,b,.,B,.,b,./.,.,.,.,.,.,.,b,.,B,.,b/.,.,.,.,.,.,b,.,b,.,B,. 1", options: {}, moves: ["g5-h4"] },
    points: { start: ".,w,.,W,.,w,.,.,.,.,.,./w,.,W,.,w,.,.,.,.,.,.,./.,W,.,w,.,w,.,.,.,.,.,./w,.,w,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,w,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,b,.,.,.,.,./.,.,.,.,.,.,.,.,.,b,.,b/.,.,.,.,.,.,b,.,B,.,b,./.,.,.,.,.,.,.,b,.,B,.,b/.,.,.,.,.,.,b,.,b,.,B,. 1 -", options: { points: true }, moves: ["g5-h4", "e8-e9", "e9-e10"] },
  },
  words: {
    en: {
      aim: "Bring all twelve of your pieces across the board, onto the dots of your colour on the other side. The first to get there wins.",
      board: [
        "A board of 12 by 13, with a dotted block of 6 by 4 in two opposite corners. In each block the dark fields have a black dot, the light fields a white one.",
        "Each player has nine pawns and three Hoggas, the ones with a pointed cap. Black starts on the black dots of one block, White on the white dots of the other, with the Hoggas in the front row. Black begins. Nothing is ever captured.",
      ],
      parts: [
        { title: "A step", text: "A pawn or Hogga goes to an empty field next to it, in any of the eight directions.", example: "step", notes: ["The Hogga on b10 stands in the front row of Black.", "It stepped straight ahead, to b9.", "White stepped with a Hogga too, along the diagonal to f5."] },
        { title: "A jump over a neighbour", text: "A piece jumps over a pawn next to it, of either colour, and lands on the empty field just behind.", example: "jump", notes: ["f12 is next to e11, and g13 behind it is empty.", "The pawn jumped over f12 to g13. f12 stays."] },
        { title: "A long jump", text: "You can also jump over a pawn farther off. It must be exactly in the middle: as many empty fields before it as behind it, and nothing else in the way.", example: "long", notes: ["Between c11 and e11 there is one empty field.", "The pawn jumped over e11 with one empty field on either side, to g11."] },
        { title: "A chain of jumps", text: "After a jump the same piece may jump on, in any direction, as often as you like. You may stop earlier. Steps and jumps don't mix in one turn, and you may not end where you began.", example: "chain", notes: ["The pawn on e6 has three jumps ahead. It may also stop on the way.", "Over f6 to g6, over i6 to k6, over k7 to k8: one turn."] },
        { title: "Nobody jumps over a Hogga", text: "A Hogga steps and jumps like a pawn, but no piece jumps over it, friend or enemy.", example: "hogga", notes: ["a11 is next to b10, and c9 behind it is empty. But b10 is a Hogga, so that jump is not there.", "The Hogga itself stepped to c9."] },
        { title: "Where a turn may not end", text: "Your turn may not end on a dot of your opponent's colour. In the middle of a chain you may touch one.", example: "dots", notes: ["e6 can jump over f5 to g4. That is a white dot, so Black may not stay there.", "Black jumped on, over h5 to i6. That is allowed."] },
        { title: "Passing", text: "You never have to jump. Only without any move at all do you pass. It hardly ever happens: we looked for a position with no move and found none, so there is no picture here." },
        { title: "Home", text: "The first player with all twelve pieces on their own dots across the board wins. Any piece may be on any of those dots.", example: "home", notes: ["Black has one pawn to bring in, on g5. The last free black dot is h4.", "Black is home and wins."] },
        { title: "Option: play for points", text: "If you agree on it, the other player goes on alone. Every move they still need is a point for the winner. They may resign at any time; the points so far stay.", example: "points", notes: ["A game for points. Each side has one pawn to bring in.", "Black is home first. White goes on alone.", "One move: one point.", "White is home too. Black wins with two points."] },
      ],
      options: [
        "Without points: the game is over when the first player is home. This is the usual game.",
        "With points: the winner gets a point for every move the other still needs.",
      ],
      end: [
        "The first player home wins.",
        "It is a draw when the players agree on it, when the same position comes for the third time, and after 1,000 moves (both players counted), also while one of you goes on alone.",
      ],
      notation: ["A move is written from-to: b10-b9, and e6-k8 for a whole chain. All chains between the same two fields are one move.", "A pass is written pass."],
      readings: [
        "The picture of the board is lost. The text gives twelve dark and twelve light fields on each side and three Hoggas in front: only blocks of six by four fit that.",
        "Which colour the corner had is not known. Here a13 is dark.",
        "That a position may not be repeated three times is read as: the third time is a draw.",
      ],
      hint: ["Build ladders of pawns that your own pieces can jump along.", "A Hogga in the right place closes a ladder of your opponent.", "Take the last ones along: a lone straggler costs many moves."],
    },
    nl: {
      aim: "Breng al je twaalf stukken naar de overkant, op de stippen van jouw kleur. Wie er het eerst is, wint.",
      board: [
        "Een bord van 12 bij 13, met in twee hoeken tegenover elkaar een blok van 6 bij 4 met stippen. In elk blok hebben de donkere velden een zwarte stip en de lichte een witte.",
        "Ieder heeft negen pionnen en drie Hogga's, die met de puntmuts. Zwart begint op de zwarte stippen van het ene blok, wit op de witte stippen van het andere, met de Hogga's op de voorste rij. Zwart mag eerst. Er wordt niets geslagen.",
      ],
      parts: [
        { title: "Een stap", text: "Een pion of Hogga gaat naar een leeg veld ernaast, in een van de acht richtingen.", example: "step", notes: ["De Hogga op b10 staat op de voorste rij van zwart.", "Hij stapte recht vooruit, naar b9.", "Wit stapte ook met een Hogga, schuin naar f5."] },
        { title: "Een sprong over een buur", text: "Een stuk springt over een pion ernaast, van welke kleur ook, en komt op het lege veld vlak erachter.", example: "jump", notes: ["f12 staat naast e11, en g13 daarachter is leeg.", "De pion sprong over f12 naar g13. f12 blijft staan."] },
        { title: "Een lange sprong", text: "Je kunt ook over een pion springen die verder weg staat. Die moet precies in het midden staan: evenveel lege velden ervoor als erachter, en verder niets in de weg.", example: "long", notes: ["Tussen c11 en e11 ligt één leeg veld.", "De pion sprong over e11, met aan weerskanten één leeg veld, naar g11."] },
        { title: "Een reeks sprongen", text: "Na een sprong mag hetzelfde stuk verder springen, in elke richting, zo vaak je wilt. Eerder stoppen mag. Stappen en springen gaan niet samen in één beurt, en je mag niet eindigen waar je begon.", example: "chain", notes: ["De pion op e6 heeft drie sprongen voor zich. Onderweg stoppen mag ook.", "Over f6 naar g6, over i6 naar k6, over k7 naar k8: één beurt."] },
        { title: "Niemand springt over een Hogga", text: "Een Hogga stapt en springt als een pion, maar geen stuk springt over een Hogga heen, vriend noch vijand.", example: "hogga", notes: ["a11 staat naast b10, en c9 daarachter is leeg. Maar b10 is een Hogga, dus die sprong is er niet.", "De Hogga zelf stapte naar c9."] },
        { title: "Waar een beurt niet mag eindigen", text: "Je beurt mag niet eindigen op een stip van de kleur van je tegenstander. Midden in een reeks mag je er wel even op komen.", example: "dots", notes: ["e6 kan over f5 naar g4 springen. Dat is een witte stip, dus daar mag zwart niet blijven.", "Zwart sprong verder, over h5 naar i6. Dat mag."] },
        { title: "Passen", text: "Springen hoeft nooit. Alleen als je helemaal geen zet hebt, pas je. Dat komt bijna niet voor: we hebben gezocht naar een stelling zonder zet en er geen gevonden, dus hier staat geen plaatje." },
        { title: "Thuis", text: "Wie het eerst alle twaalf stukken op de eigen stippen aan de overkant heeft, wint. Elk stuk mag op elk van die stippen staan.", example: "home", notes: ["Zwart moet nog één pion binnenbrengen, die op g5. De laatste vrije zwarte stip is h4.", "Zwart is thuis en wint."] },
        { title: "Optie: om punten spelen", text: "Als jullie dat afspreken, speelt de ander alleen verder. Elke zet die daar nog voor nodig is, is een punt voor de winnaar. Opgeven mag altijd; de punten tot dan toe blijven staan.", example: "points", notes: ["Een partij om punten. Ieder moet nog één pion binnenbrengen.", "Zwart is het eerst thuis. Wit gaat alleen verder.", "Eén zet: één punt.", "Wit is ook thuis. Zwart wint met twee punten."] },
      ],
      options: [
        "Zonder punten: de partij is uit als de eerste thuis is. Dit is het gewone spel.",
        "Met punten: de winnaar krijgt een punt voor elke zet die de ander nog nodig heeft.",
      ],
      end: [
        "Wie het eerst thuis is, wint.",
        "Het is remise als jullie het afspreken, als dezelfde stelling er voor de derde keer is, en na 1000 zetten (van beiden samen), ook als er nog maar één speelt.",
      ],
      notation: ["Een zet schrijf je van-naar: b10-b9, en e6-k8 voor een hele reeks. Alle reeksen tussen dezelfde twee velden zijn één zet.", "Passen schrijf je als pass."],
      readings: [
        "Het plaatje van het bord is verloren gegaan. De tekst noemt twaalf donkere en twaalf lichte velden aan elke kant en drie Hogga's vooraan: alleen blokken van zes bij vier passen daarbij.",
        "Welke kleur de hoek had, is niet bekend. Hier is a13 donker.",
        "Dat een stelling niet drie keer mag voorkomen, lezen we als: de derde keer is het remise.",
      ],
      hint: ["Bouw ladders van pionnen waarlangs je eigen stukken kunnen springen.", "Een Hogga op de goede plek sluit een ladder van je tegenstander af.", "Neem de laatsten mee: een achterblijver kost veel zetten."],
    },
    sv: {
      aim: "För alla dina tolv pjäser över brädet, till prickarna i din färg på andra sidan. Den som är framme först vinner.",
      board: [
        "Ett bräde på 12 gånger 13, med ett prickat block på 6 gånger 4 i två motsatta hörn. I varje block har de mörka fälten en svart prick och de ljusa en vit.",
        "Var och en har nio bönder och tre Hoggor, de med spetsig mössa. Svart börjar på de svarta prickarna i det ena blocket, vit på de vita prickarna i det andra, med Hoggorna i främsta raden. Svart drar först. Ingenting slås ut.",
      ],
      parts: [
        { title: "Ett steg", text: "En bonde eller Hogga går till ett tomt fält intill, i någon av de åtta riktningarna.", example: "step", notes: ["Hoggan på b10 står i svarts främsta rad.", "Den tog ett steg rakt fram, till b9.", "Vit tog också ett steg med en Hogga, snett till f5."] },
        { title: "Ett hopp över en granne", text: "En pjäs hoppar över en bonde intill, av vilken färg som helst, och landar på det tomma fältet strax bakom.", example: "jump", notes: ["f12 står intill e11, och g13 bakom är tomt.", "Bonden hoppade över f12 till g13. f12 står kvar."] },
        { title: "Ett långt hopp", text: "Du kan också hoppa över en bonde längre bort. Den måste stå precis i mitten: lika många tomma fält framför som bakom, och inget annat i vägen.", example: "long", notes: ["Mellan c11 och e11 finns ett tomt fält.", "Bonden hoppade över e11, med ett tomt fält på var sida, till g11."] },
        { title: "En kedja av hopp", text: "Efter ett hopp får samma pjäs hoppa vidare, åt vilket håll som helst, så många gånger du vill. Du får stanna tidigare. Steg och hopp blandas inte i samma drag, och du får inte sluta där du började.", example: "chain", notes: ["Bonden på e6 har tre hopp framför sig. Den får också stanna på vägen.", "Över f6 till g6, över i6 till k6, över k7 till k8: ett enda drag."] },
        { title: "Ingen hoppar över en Hogga", text: "En Hogga går och hoppar som en bonde, men ingen pjäs hoppar över en Hogga, varken vän eller fiende.", example: "hogga", notes: ["a11 står intill b10, och c9 bakom är tomt. Men b10 är en Hogga, så det hoppet finns inte.", "Hoggan själv tog ett steg till c9."] },
        { title: "Där ett drag inte får sluta", text: "Ditt drag får inte sluta på en prick i motståndarens färg. Mitt i en kedja får du landa på en.", example: "dots", notes: ["e6 kan hoppa över f5 till g4. Det är en vit prick, så där får svart inte stanna.", "Svart hoppade vidare, över h5 till i6. Det går bra."] },
        { title: "Passa", text: "Du måste aldrig hoppa. Bara om du inte har något drag alls passar du. Det händer nästan aldrig: vi letade efter en ställning utan drag och fann ingen, så här finns ingen bild." },
        { title: "Hemma", text: "Den som först har alla tolv pjäser på sina egna prickar på andra sidan vinner. Vilken pjäs som helst får stå på vilken som helst av prickarna.", example: "home", notes: ["Svart har en bonde kvar att föra in, den på g5. Den sista lediga svarta pricken är h4.", "Svart är hemma och vinner."] },
        { title: "Val: spela om poäng", text: "Om ni kommer överens om det fortsätter den andra ensam. Varje drag som då behövs är en poäng för vinnaren. Det går att ge upp när som helst; poängen så långt räknas.", example: "points", notes: ["Ett parti om poäng. Var och en har en bonde kvar att föra in.", "Svart är hemma först. Vit fortsätter ensam.", "Ett drag: en poäng.", "Vit är också hemma. Svart vinner med två poäng."] },
      ],
      options: [
        "Utan poäng: partiet är slut när den första är hemma. Det är det vanliga spelet.",
        "Med poäng: vinnaren får en poäng för varje drag som den andra behöver till.",
      ],
      end: [
        "Den som är hemma först vinner.",
        "Det blir remi när ni kommer överens om det, när samma ställning uppstår för tredje gången, och efter 1 000 drag (båda räknade), också medan en av er spelar ensam.",
      ],
      notation: ["Ett drag skrivs från-till: b10-b9, och e6-k8 för en hel kedja. Alla kedjor mellan samma två fält är ett och samma drag.", "Att passa skrivs pass."],
      readings: [
        "Bilden av brädet har gått förlorad. Texten anger tolv mörka och tolv ljusa fält på var sida och tre Hoggor längst fram: bara block på sex gånger fyra passar in.",
        "Vilken färg hörnet hade är inte känt. Här är a13 mörkt.",
        "Att en ställning inte får upprepas tre gånger läser vi så: tredje gången blir det remi.",
      ],
      hint: ["Bygg stegar av bönder som dina egna pjäser kan hoppa längs.", "En Hogga på rätt plats stänger en stege för motståndaren.", "Ta med de sista: en ensam eftersläntrare kostar många drag."],
    },
  },
};
