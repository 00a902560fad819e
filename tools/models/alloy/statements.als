module statements
-- What members keep of hosts' statements, and when they agree: docs/decisions/0041-contradicting-hosts.md.
-- One creator, whom nobody outranks, and one host in one office; both may sign anything. Members receive statements in
-- any order, each behind its predecessors, and pass on what they keep.

open util/ordering[Statement] as hash

-- The order of atoms is that of the hashes. A statement without predecessor has number 1.
sig Statement { previous: lone Statement, author: one Author }
abstract sig Author {}
one sig Creator, Host extends Author {}
-- The creator removes the host, and names the host's last statement that it had received.
sig Removal in Statement { last: lone Statement }

fact wellFormed {
  no s: Statement | s in s.^previous
  all s: Statement | s.previous.author in s.author
  Removal.author in Creator
  Removal.last.author in Host
}

-- A set of statements that a member may have received: predecessors come first, and so does what a removal names.
pred closed[known: set Statement] { known.(previous + last) in known }

fun number[s: Statement]: Int { #(s.*previous) }

-- The children of a statement's predecessor by the same author: more than one of them contradict each other.
fun siblings[known: set Statement, s: Statement]: set Statement {
  { t: known | t.author = s.author and t.previous = s.previous }
}
-- A host's statements in front of its first contradiction.
fun unopposed[known: set Statement]: set Statement {
  { s: known & author.Host | all t: s.*previous | one siblings[known, t] }
}
-- The two with the lowest hashes under the number of the first contradiction. They convict the host.
fun pair[known: set Statement]: set Statement {
  { s: known & author.Host | s.^previous in unopposed[known] and not one siblings[known, s]
    and lone siblings[known, s] & hash/prevs[s] }
    -- mutant one-witness: and no siblings[known, s] & hash/prevs[s] }
}

-- The creator's removal that counts: the lowest number, then the lowest hash.
fun removal[known: set Statement]: lone Statement {
  { r: known & Removal | no q: (known & Removal) - r |
    number[q] < number[r] or (number[q] = number[r] and q in hash/prevs[r]) }
}

-- The host's statements that count. A removal names the last one, whatever the host has contradicted.
fun counting[known: set Statement]: set Statement {
  some removal[known] => removal[known].last.*previous else unopposed[known]
  -- mutant cut-after-conviction: some removal[known] => removal[known].last.*previous & unopposed[known] else unopposed[known]
}

-- All branches of the creator are kept.
fun kept[known: set Statement]: set Statement {
  (known & author.Creator) + counting[known] + (no removal[known] => pair[known] else none)
}

-- A member that keeps `own` and receives `other`.
pred takes[own, other, then: set Statement] {
  then = kept[own + other]
  -- mutant first-received: then = own + { s: other | all t: s.*previous | siblings[own + t, t] = t }
  -- mutant all-convict: then = own + other
}

-- Members agree on a key if their digests are equal: over the statements that count, and the place of a contradiction.
pred sameDigest[p, q: set Statement] {
  p & author.Creator = q & author.Creator
  counting[p] = counting[q]
  pair[p].previous = pair[q].previous and (some pair[p] iff some pair[q])
  -- mutant pair-in-digest: pair[p] = pair[q]
}

-- first-received breaks agreement
-- cut-after-conviction breaks cut
-- pair-in-digest breaks stableDigest
-- all-convict breaks bounded
-- one-witness breaks union

-- reachable contradiction: a host contradicts itself, and two members have received one branch each.
run contradiction {
  some disj s, t: Statement | s.author = Host and t.author = Host and s.previous = t.previous and some s.previous
} for 5

-- lemma agreement H1 M12: two members that exchange what they keep agree, whatever each has received before.
check agreement {
  all a, b, c, d: set Statement |
    (closed[a] and closed[b] and takes[kept[a], kept[b], c] and takes[kept[b], kept[a], d]) implies (c = d and sameDigest[c, d])
} for 5
-- lemma union H1: what is kept of kept sets is what is kept of everything, so ways and orders make no difference.
check union {
  all a, b: set Statement | (closed[a] and closed[b]) implies kept[kept[a] + kept[b]] = kept[a + b]
} for 5
-- lemma cut F3 H1: nothing that a removed host signs changes what counts of it.
check cut {
  all a, b: set Statement |
    (closed[a] and closed[b] and some removal[a] and b in author.Host) implies counting[a + b] = counting[a]
    and removal[a].last.*previous in counting[a + b]
} for 5
-- lemma stableDigest H1: further statements under the number of a contradiction change no digest.
check stableDigest {
  all a: set Statement, s: Statement |
    (closed[a] and closed[a + s] and some pair[a] and s.author = Host and s.previous = pair[a].previous) implies
      sameDigest[a, a + s]
} for 5
-- lemma bounded H2: of statements under one number at most two are kept.
check bounded {
  all a, b, c: set Statement, s: Statement |
    (closed[a] and closed[b] and takes[kept[a], kept[b], c] and s in c and s.author = Host) implies #siblings[c, s] < 3
} for 5
