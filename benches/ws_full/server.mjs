// Relay of moves in Node, as a careful developer writes it with the usual packages: it checks the
// player, the ply and the turn, and stores each move before it sends it. It has no rules, no clocks
// and no accounts.
// Usage: node server.mjs ADDRESS DATABASE
import Database from "better-sqlite3";
import { WebSocketServer } from "ws";

const [address, database] = process.argv.slice(2);
const [host, port] = address.split(":");

const db = new Database(database);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec(`CREATE TABLE move (
  game TEXT NOT NULL, ply INTEGER NOT NULL, u TEXT NOT NULL, cid TEXT NOT NULL,
  at_ms INTEGER NOT NULL, PRIMARY KEY (game, ply)) WITHOUT ROWID`);
const insert = db.prepare("INSERT INTO move VALUES (?, ?, ?, ?, ?)");

/** Games by id: their connections, in the order of arrival, and the number of moves played. */
const games = new Map();

const refuse = (socket, cid, error) =>
  socket.send(JSON.stringify({ t: "refused", d: { cid, error } }));

const handleMove = (game, socket, { u, ply, cid }) => {
  if (typeof u !== "string" || u.length > 100) return refuse(socket, cid, "invalid move");
  if (ply !== game.ply) return refuse(socket, cid, "not the current ply");
  if (game.sockets[ply % 2] !== socket) return refuse(socket, cid, "not your turn");
  insert.run(game.id, ply, u, cid, Date.now());
  game.ply += 1;
  const frame = JSON.stringify({ t: "move", d: { u, ply, turn: game.ply % 2 }, v: game.ply });
  socket.send(JSON.stringify({ t: "ack", d: { cid, v: game.ply } }));
  for (const other of game.sockets) other.send(frame);
};

const handleMessage = (game, socket, data) => {
  let message;
  try {
    message = JSON.parse(data);
  } catch {
    return refuse(socket, undefined, "invalid JSON");
  }
  if (message?.t !== "move" || !message.d) return refuse(socket, undefined, "unknown message");
  handleMove(game, socket, message.d);
};

const server = new WebSocketServer({ host, port: Number(port), maxPayload: 4096 });
server.on("connection", (socket, request) => {
  const id = request.url.slice(1);
  const game = games.get(id) ?? { id, ply: 0, sockets: [] };
  games.set(id, game);
  game.sockets.push(socket);
  socket.on("message", (data) => handleMessage(game, socket, data));
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    game.sockets = game.sockets.filter((other) => other !== socket);
    if (game.sockets.length === 0) games.delete(id);
  });
});
