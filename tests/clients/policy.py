"""Move selection of the test clients: deterministic per seed, goal-directed to end games early."""

import re

CELL = re.compile(r"[a-z]\d+")


def cells(position):
    """Returns the tokens of the occupied cells of a position text, by cell name."""
    rows = position.split(" ")[0].split("/")
    named = {}
    for down, row in enumerate(rows):
        for column, token in enumerate(row.split(",")):
            if token not in (".", "#"):
                named[f"{chr(97 + column)}{len(rows) - down}"] = token
    return named


def spot(cell):
    return ord(cell[0]) - 97, int(cell[1:])


def choose(variant, position, turn, legal, random):
    """Returns one of the legal moves; `turn` is "first" or "second"."""
    wanted = {"hogga": goal_progress, "caterpillarWar": captures}.get(variant)
    if wanted is None:
        return random.choice(legal)
    gains = wanted(position, turn, legal)
    best = max(gains.values())
    return random.choice([u for u in legal if gains[u] == best])


def captures(position, turn, legal):
    """Returns the number of enemy stacks that each Caterpillar War move captures."""
    own = "w" if turn == "first" else "b"
    enemy = {cell for cell, stack in cells(position).items() if stack[-1] != own}

    def taken(u):
        named = CELL.findall(u)
        (column, row), (to_column, to_row) = spot(named[-2]), spot(named[-1])
        far = max(abs(to_column - column), abs(to_row - row))
        step = (to_column - column) // far, (to_row - row) // far
        return sum(f"{chr(97 + column + n * step[0])}{row + n * step[1]}" in enemy for n in range(1, far + 1))

    return {u: taken(u) for u in legal}


def goal_progress(position, turn, legal):
    """Returns the negated sum of squared distances from pawns to target dots for each Hogga move."""
    # Black (first) moves to the dark cells of g-l, 1-4; White to the light cells of a-f, 10-13.
    columns, rows, parity = (range(6, 12), range(1, 5), 0) if turn == "first" else (range(0, 6), range(10, 14), 1)
    homes = [(c, r) for c in columns for r in rows if (c + 1 + r) % 2 == parity]
    colour = "b" if turn == "first" else "w"
    own = [spot(cell) for cell, token in cells(position).items() if token.lower() == colour]

    def cost(pawns):
        # Assigns the nearest pawn to each target, deepest targets first.
        left, total = set(pawns), 0
        deep = (lambda home: (home[1], -home[0])) if turn == "first" else (lambda home: (-home[1], home[0]))
        for home in sorted(homes, key=deep):
            near = min(left, key=lambda pawn: (max(abs(pawn[0] - home[0]), abs(pawn[1] - home[1])), pawn))
            total += max(abs(near[0] - home[0]), abs(near[1] - home[1])) ** 2
            left.remove(near)
        return total

    gains = {}
    for u in legal:
        named = CELL.findall(u)
        moved = list(own)
        if named:
            moved[moved.index(spot(named[0]))] = spot(named[-1])
        gains[u] = -cost(moved)
    return gains
