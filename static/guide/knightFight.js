// Rules page of Knight Fight: examples and words.
export default {
  examples: {
    place: { start: "39,75,61,78,62,55,98,28,33,91/08,16,35,10,32,77,14,52,13,67/05,42,38,95,43,23,22,02,65,60/40,12,94,09,86,48,31,79,83,03/84,34,30,00,11,36,41,73,50,87/46,76,74,53,04,85,06,18,89,63/56,15,20,68,26,64,69,51,49,70/80,97,82,07,44,72,90,47,71,24/81,59,57,99,25,58,93,66,17,01/37,27,45,96,92,88,21,54,29,19 1 0:0", options: {}, moves: ["d1", "b10"] },
    leap: { start: "37,b,.,95,.,43,56,.,.,./61,.,27,73,.,.,75,80,.,./.,.,.,.,72,.,.,.,08,./.,.,.,.,.,.,w,.,.,./.,.,.,.,.,.,.,.,54,./.,.,.,.,.,69,.,96,.,./.,.,.,.,91,16,59,.,.,42/.,.,.,.,.,.,34,65,.,./.,.,.,57,.,.,.,.,24,45/.,.,.,.,.,.,.,19,.,. 1 998:903", options: {}, moves: ["h5"] },
    double: { start: ".,99,.,.,.,.,.,62,.,./.,.,.,.,.,81,.,.,22,./.,.,54,.,.,.,35,.,64,./05,.,.,12,77,.,.,w,.,44/.,.,.,46,.,76,45,.,.,26/.,61,.,.,.,16,74,.,.,./.,.,11,79,18,.,.,.,21,97/.,.,.,.,.,.,.,50,.,./.,47,.,.,.,.,.,.,.,67/.,53,.,b,.,03,.,30,.,. 1 743:866", options: {}, moves: ["i9xe7"] },
    attack: { start: ".,.,.,43,.,.,.,.,.,./.,w,.,.,.,.,.,.,.,93/14,.,.,89,.,.,.,.,.,31/.,b,39,.,.,.,.,.,.,./.,.,.,.,.,.,.,01,34,./49,.,.,.,92,13,.,.,.,./.,.,.,.,67,.,.,.,.,94/.,42,.,.,.,.,68,76,84,./.,.,48,10,98,29,86,.,.,24/87,.,.,.,.,.,.,78,41,. 1 872:705", options: {}, moves: ["c7"] },
    end: { start: ".,.,.,.,62,.,98,.,.,./.,.,.,.,.,.,.,.,.,./.,42,.,.,.,.,.,.,.,./.,12,.,09,w,.,.,.,.,03/.,.,30,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,89,./.,.,.,.,26,.,.,.,.,./.,.,.,b,44,.,90,.,.,24/.,.,.,.,.,.,.,.,.,./.,.,.,.,92,.,21,.,29,. 2 990:1101", options: {}, moves: ["e1", "c6"] },
  },
  words: {
    en: {
      aim: "Leap over the board with your knight and gather points. When someone has no leap left, the higher score wins.",
      board: [
        "A board of 10 by 10. The numbers 00 to 99 lie on it, each once, shuffled anew for every game. Each player has one knight; both begin beside the board. White begins.",
        "The shuffle is fixed before the challenge is accepted: we publish a fingerprint of it first and the key at the end, so that anyone can check it.",
      ],
      parts: [
        { title: "Placing the knights", text: "White's first move puts the white knight on a square of row 1. Then Black puts the black knight on row 10. You score the number under your knight, and the square is used up.", example: "place", notes: ["White chooses a square of row 1.", "White took 96 on d1. Its mirror, 69 on g4, is wiped.", "Black took 75 on b10, and 57 on c2 is wiped. Each scores the number they stand on."] },
        { title: "Leaping, and the mirror", text: "From then on you leap as a knight does in chess: two squares straight and one aside. You need a square that still has its number. You score it, and the mirrored number is wiped from the board: 57 wipes 75, 07 wipes 70. Nobody scores a wiped number.", example: "leap", notes: ["White stands on g7. In reach are 69 on f5 and its mirror 96 on h5, among others.", "White took 96, and 69 on f5 is wiped: a square less for both."] },
        { title: "A double wipes a double", text: "A number with two equal digits, such as 00 or 44, is its own mirror. Landing on one, you may wipe one other double of your choice, or none.", example: "double", notes: ["White on h7 can leap to 22 on i9. The other doubles are on b10, c4, e7 and j7.", "White took 22 and wiped 77 on e7."] },
        { title: "Squares that the other knight attacks", text: "You may not land on a square that the other knight could leap to.", example: "attack", notes: ["From b9 White would like 89 on d8. But the black knight on b7 attacks d8. White can go to c7 or d10.", "White took 39 on c7 and wiped 93 on j9. Black may take d8 now: the white knight no longer attacks it."] },
        { title: "No leap left", text: "When the player to move has no leap left, the game is over at once. The higher score wins. So while you are ahead, it is good to run into a dead end yourself.", example: "end", notes: ["Black is to move and ahead, 1101 to 990. Look at e1: no leap leads on from there.", "Black took 92 and leads 1193 to 990. White still has one leap.", "White took 30 on c6. Black has no leap left, and wins with 1193 to 1020."] },
      ],
      options: [
        "On a double you may wipe another: your choice, also none. This is the usual game.",
        "On a double you must wipe another, if one is left. You still choose which.",
      ],
      end: [
        "The game ends when the player to move has no leap. The higher score wins, wherever the knights stand.",
        "Equal scores are a draw, and so is a draw by agreement. A position cannot come back: every move uses up a square.",
      ],
      notation: ["A move is written as its square: c1.", "If another double is wiped, its square follows an x: c1xh7."],
      readings: [
        "The source says that a double can be erased and that the player decides which. We read it as: you may. The option makes it a duty.",
        "A knight attacks its squares whether their numbers are still there or not.",
        "Only the player to move is tested for leaps. If your opponent is stuck but you are to move, you still move.",
      ],
      hint: ["Count the leaps that remain from where you land, not only the points.", "Every square that your knight attacks is closed to the other knight.", "Ahead? Look for a dead end. Behind? Keep the way open."],
    },
    nl: {
      aim: "Spring met je paard over het bord en verzamel punten. Kan iemand niet meer springen, dan wint de hoogste score.",
      board: [
        "Een bord van 10 bij 10. De getallen 00 tot en met 99 liggen erop, elk één keer, voor elke partij opnieuw geschud. Ieder heeft één paard; beide staan eerst naast het bord. Wit begint.",
        "Hoe er geschud is, ligt vast voordat de uitdaging wordt aangenomen: we tonen vooraf een vingerafdruk ervan en na afloop de sleutel, zodat iedereen het kan nagaan.",
      ],
      parts: [
        { title: "De paarden neerzetten", text: "Met de eerste zet komt het witte paard op een veld van rij 1. Daarna komt het zwarte paard op rij 10. Je krijgt het getal onder je paard als punten, en het veld is gebruikt.", example: "place", notes: ["Wit kiest een veld van rij 1.", "Wit nam 96 op d1. Het spiegelbeeld, 69 op g4, is gewist.", "Zwart nam 75 op b10, en 57 op c2 is gewist. Ieder krijgt het getal waarop het paard staat."] },
        { title: "Springen, en het spiegelbeeld", text: "Verder spring je zoals een paard bij schaken: twee velden recht en één opzij. Het veld moet zijn getal nog hebben. Dat getal krijg je als punten, en het omgekeerde getal wordt gewist: 57 wist 75, 07 wist 70. Een gewist getal levert niemand punten op.", example: "leap", notes: ["Wit staat op g7. Binnen bereik liggen onder meer 69 op f5 en zijn spiegelbeeld 96 op h5.", "Wit nam 96, en 69 op f5 is gewist: een veld minder voor beiden."] },
        { title: "Een dubbel getal wist een dubbel getal", text: "Een getal met twee gelijke cijfers, zoals 00 of 44, is zijn eigen spiegelbeeld. Kom je daarop, dan mag je één ander dubbel getal wissen, welk je maar wilt, of geen.", example: "double", notes: ["Wit op h7 kan naar 22 op i9 springen. De andere dubbele getallen liggen op b10, c4, e7 en j7.", "Wit nam 22 en wiste 77 op e7."] },
        { title: "Velden die het andere paard aanvalt", text: "Je mag niet landen op een veld waar het andere paard naartoe zou kunnen springen.", example: "attack", notes: ["Vanaf b9 zou wit graag 89 op d8 nemen. Maar het zwarte paard op b7 valt d8 aan. Wit kan naar c7 of d10.", "Wit nam 39 op c7 en wiste 93 op j9. Nu mag zwart naar d8: het witte paard valt dat veld niet meer aan."] },
        { title: "Geen sprong meer", text: "Kan degene die aan de beurt is niet springen, dan is de partij meteen uit. De hoogste score wint. Sta je voor, dan is het dus goed om zelf een doodlopende weg in te slaan.", example: "end", notes: ["Zwart is aan zet en staat voor, 1101 tegen 990. Kijk naar e1: vandaar gaat geen sprong verder.", "Zwart nam 92 en staat met 1193 tegen 990 voor. Wit heeft nog één sprong.", "Wit nam 30 op c6. Zwart kan niet meer springen, en wint met 1193 tegen 1020."] },
      ],
      options: [
        "Op een dubbel getal mag je er nog een wissen: jij kiest, ook geen mag. Dit is het gewone spel.",
        "Op een dubbel getal moet je er nog een wissen, als er nog een is. Welk kies je zelf.",
      ],
      end: [
        "De partij is uit als wie aan de beurt is niet kan springen. De hoogste score wint, waar de paarden ook staan.",
        "Gelijke stand is remise, en remise in overleg kan ook. Een stelling komt nooit terug: elke zet gebruikt een veld.",
      ],
      notation: ["Een zet schrijf je als het veld: c1.", "Wordt er een ander dubbel getal gewist, dan komt dat veld achter een x: c1xh7."],
      readings: [
        "Volgens de bron kan er een dubbel getal worden gewist en beslist de speler welk. Wij lezen dat als: het mag. Met de optie moet het.",
        "Een paard valt zijn velden aan, of hun getal er nog ligt of niet.",
        "Alleen wie aan de beurt is moet kunnen springen. Zit de ander vast maar ben jij aan zet, dan zet je nog.",
      ],
      hint: ["Tel niet alleen de punten, maar ook de sprongen die je na het landen nog hebt.", "Elk veld dat jouw paard aanvalt, is dicht voor het andere.", "Sta je voor, zoek dan een doodlopende weg. Sta je achter, houd dan de weg open."],
    },
    sv: {
      aim: "Hoppa över brädet med din springare och samla poäng. När någon inte kan hoppa längre vinner den med högst poäng.",
      board: [
        "Ett bräde på 10 gånger 10. Talen 00 till 99 ligger på det, vart och ett en gång, blandade på nytt för varje parti. Var och en har en springare; båda börjar bredvid brädet. Vit börjar.",
        "Blandningen är bestämd innan utmaningen antas: vi visar ett fingeravtryck av den först och nyckeln efteråt, så att vem som helst kan kontrollera den.",
      ],
      parts: [
        { title: "Ställa ut springarna", text: "Med första draget ställs den vita springaren på ett fält i rad 1. Sedan ställs den svarta på rad 10. Du får talet under din springare som poäng, och fältet är förbrukat.", example: "place", notes: ["Vit väljer ett fält i rad 1.", "Vit tog 96 på d1. Spegelbilden, 69 på g4, är suddad.", "Svart tog 75 på b10, och 57 på c2 är suddat. Var och en får talet som springaren står på."] },
        { title: "Hoppa, och spegelbilden", text: "Därefter hoppar du som en springare i schack: två fält rakt och ett åt sidan. Fältet måste ha sitt tal kvar. Du får talet som poäng, och det omvända talet suddas: 57 suddar 75, 07 suddar 70. Suddade tal ger ingen poäng åt någon.", example: "leap", notes: ["Vit står på g7. Inom räckhåll finns bland annat 69 på f5 och dess spegelbild 96 på h5.", "Vit tog 96, och 69 på f5 är suddat: ett fält mindre för båda."] },
        { title: "Ett dubbeltal suddar ett dubbeltal", text: "Ett tal med två lika siffror, som 00 eller 44, är sin egen spegelbild. Landar du på ett sådant får du sudda ett annat dubbeltal, vilket du vill, eller inget.", example: "double", notes: ["Vit på h7 kan hoppa till 22 på i9. De andra dubbeltalen ligger på b10, c4, e7 och j7.", "Vit tog 22 och suddade 77 på e7."] },
        { title: "Fält som den andra springaren hotar", text: "Du får inte landa på ett fält som den andra springaren skulle kunna hoppa till.", example: "attack", notes: ["Från b9 vill vit gärna ta 89 på d8. Men den svarta springaren på b7 hotar d8. Vit kan gå till c7 eller d10.", "Vit tog 39 på c7 och suddade 93 på j9. Nu får svart gå till d8: den vita springaren hotar inte det fältet längre."] },
        { title: "Inget hopp kvar", text: "När den som är vid draget inte kan hoppa är partiet genast slut. Den med högst poäng vinner. Leder du är det alltså bra att själv hoppa in i en återvändsgränd.", example: "end", notes: ["Svart är vid draget och leder med 1101 mot 990. Se på e1: därifrån går inget hopp vidare.", "Svart tog 92 och leder med 1193 mot 990. Vit har ett hopp kvar.", "Vit tog 30 på c6. Svart har inget hopp kvar, och vinner med 1193 mot 1020."] },
      ],
      options: [
        "På ett dubbeltal får du sudda ett till: du väljer, även inget. Det är det vanliga spelet.",
        "På ett dubbeltal måste du sudda ett till, om det finns något kvar. Du väljer fortfarande vilket.",
      ],
      end: [
        "Partiet slutar när den som är vid draget inte kan hoppa. Den med högst poäng vinner, var springarna än står.",
        "Lika poäng är remi, och ni kan också komma överens om remi. En ställning kan inte komma tillbaka: varje drag förbrukar ett fält.",
      ],
      notation: ["Ett drag skrivs som fältet: c1.", "Suddas ett annat dubbeltal följer dess fält efter ett x: c1xh7."],
      readings: [
        "Källan säger att ett dubbeltal kan suddas och att spelaren bestämmer vilket. Vi läser det som: du får. Med det andra valet måste du.",
        "En springare hotar sina fält vare sig talen ligger kvar eller inte.",
        "Bara den som är vid draget måste kunna hoppa. Sitter motståndaren fast men det är din tur, drar du ändå.",
      ],
      hint: ["Räkna hoppen som finns kvar efter landningen, inte bara poängen.", "Varje fält som din springare hotar är stängt för den andra.", "Leder du, sök en återvändsgränd. Ligger du under, håll vägen öppen."],
    },
  },
};
