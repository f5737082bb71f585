"""A league: fixtures, results, the table with ties, series, promotion."""


def rounds(teams):
    """Who plays whom on each day, so that all meet once; with odd numbers one has a day off."""
    teams = list(teams)
    if len(teams) % 2:
        teams.append(None)
    count = len(teams)
    days = []
    for day in range(count - 1):
        games = []
        for i in range(count // 2):
            home, guest = teams[i], teams[count - 1 - i]
            if i == 0 and day % 2:
                home, guest = guest, home
            if home is not None and guest is not None:
                games.append((home, guest))
        days.append(games)
        teams.insert(1, teams.pop())
    return days


def season(teams):
    """Both halves; in the second the other one is at home."""
    first = rounds(teams)
    second = [[(guest, home) for home, guest in games] for games in first]
    return first + second


def read(text):
    """Results from lines such as "Ajax - Real 2:1"; what is not played yet has no goals."""
    results = []
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        names, _, score = line.rpartition(" ")
        if ":" not in score:
            continue
        home, _, guest = names.partition(" - ")
        goals, _, against = score.partition(":")
        results.append((home.strip(), guest.strip(), int(goals), int(against)))
    return results


def table(results, deducted=None):
    """For each team games, wins, draws, losses, goals, goals against, points."""
    rows = {}
    for home, guest, goals, against in results:
        for team, own, other in ((home, goals, against), (guest, against, goals)):
            row = rows.setdefault(team, dict.fromkeys(("games", "won", "drawn", "lost", "for", "against", "points"), 0))
            row["games"] += 1
            row["for"] += own
            row["against"] += other
            if own > other:
                row["won"] += 1
                row["points"] += 3
            elif own == other:
                row["drawn"] += 1
                row["points"] += 1
            else:
                row["lost"] += 1
    for team, points in (deducted or {}).items():
        rows[team]["points"] -= points
    return rows


def direct(results, teams):
    """The points in the games among some teams."""
    among = [each for each in results if each[0] in teams and each[1] in teams]
    rows = table(among)
    return {team: rows[team]["points"] if team in rows else 0 for team in teams}


def ranked(results, deducted=None):
    """Names by points, what they won of each other, difference of goals, goals, and name."""
    rows = table(results, deducted)
    groups = {}
    for team, row in rows.items():
        groups.setdefault(row["points"], []).append(team)
    order = []
    for points in sorted(groups, reverse=True):
        tied = groups[points]
        among = direct(results, tied)
        order += sorted(
            tied,
            key=lambda team: (
                -among[team],
                rows[team]["against"] - rows[team]["for"],
                -rows[team]["for"],
                team,
            ),
        )
    return order


def series(results, team):
    """The longest run of games that a team did not lose, and the one that lasts."""
    longest = current = 0
    for home, guest, goals, against in results:
        if team not in (home, guest):
            continue
        own, other = (goals, against) if team == home else (against, goals)
        if own >= other:
            current += 1
            longest = max(longest, current)
        else:
            current = 0
    return longest, current


def promoted(upper, lower, count=2):
    """Both divisions of the next year, after so many changed places."""
    stay, down = upper[:-count], upper[-count:]
    up, rest = lower[:count], lower[count:]
    return stay + up, down + rest


def elo(ratings, home, guest, goals, against, k=20, advantage=60):
    """New ratings of both; the one at home is taken to be better by ``advantage``."""
    difference = ratings[guest] - ratings[home] - advantage
    expected = 1 / (1 + 10 ** (difference / 400))
    result = 1 if goals > against else 0.5 if goals == against else 0
    margin = abs(goals - against)
    weight = 1 if margin < 2 else 1.5 if margin == 2 else (11 + margin) / 8
    change = k * weight * (result - expected)
    changed = dict(ratings)
    changed[home] = round(ratings[home] + change, 1)
    changed[guest] = round(ratings[guest] - change, 1)
    return changed


def secured(results, left, team):
    """Whether nobody can overtake a team any more, whatever happens in the games that are left."""
    rows = table(results)
    own = rows[team]["points"]
    for other, row in rows.items():
        if other == team:
            continue
        games = sum(other in pair for pair in left)
        if row["points"] + 3 * games >= own:
            return False
    return True
