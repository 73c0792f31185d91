// Recorded game that is replayed on the home page if the server has no finished game.

/** Game in the form of `GET /api/games/classic`, as far as the replay needs it. */
export const exampleGame = {
  variant: { key: "kopfOderKnopf" },
  options: { target: "10" },
  start:
    ".,.,.,.,.,.,.,.,.,./.,b,r,b,r,b,r,b,r,./.,r,.,.,.,.,.,.,b,./.,b,.,.,.,.,.,.,r,./.,r,.,.,.,.,.,.,b,./.,b,.,.,.,.,.,.,r,./.,r,.,.,.,.,.,.,b,./.,b,.,.,.,.,.,.,r,./.,r,b,r,b,r,b,r,b,./.,.,.,.,.,.,.,.,.,. 1 0:0",
  moves:
    "e9-e6 e2-e1 i7-f4 i6-i10 xh9,b2-c3 xb4,b5-a4 xb3,h2-j4 xi5,f9-e9 b6-a6 e9-i5 e6-f5 i8-g8 f5-d3 xc3,i5-h5 f2-f1 i2-h3 xh3,b8-b10 h5-h4 f4-d4 xd3".split(
      " ",
    ),
};
