module views
-- Views and agreed messages: docs/group-communication.md, "How it works". A message or an answer that a partition, a
-- slow link or a crash prevents is a step that is not taken, so these need no steps of their own, but for crashes.

open util/ordering[View] as number
open util/ordering[Message] as place

sig Member {}
-- A view, and the proposal that leads to it. Proposals are ordered by number.
sig View {
  members: set Member,
  sequencer: one Member,
  -- SYNCs: what each member had in its former view.
  var from: Member -> View,
  var held: Member -> Message,
  var entries: Member -> Message,
}
-- The sequencer of a view orders its messages as the atoms are ordered: which these are makes no difference.
sig Message { origin: one Member, of: one View }

var sig Up in Member {}
-- Members between their SYNC and the next view.
var sig Frozen in Member {}
var sig Ordered in Message {}

one sig State {
  var installed: Member -> View,
  var promised: Member -> View,
  -- Bodies and entries of the ORDER in the present view.
  var got: Member -> Message,
  var known: Member -> Message,
  -- What was delivered in former views: in all, and of that before the transitional signal.
  var delivered: Member -> Message,
  var signalled: Member -> Message,
  -- Each move of a member: its former and its new view.
  var moved: Member -> View -> View,
}

fun bodies[p: Member]: set Message { State.got[p] }
-- Entries in front of this one.
fun earlier[m: Message]: set Message { Ordered & of.(m.of) & place/prevs[m] }
-- What a member with these bodies and entries delivers as agreed: no gap in front of it.
fun agreed[b, e: set Message]: set Message {
  { m: b & e | earlier[m] in b & e }
  -- mutant gaps: b & e
}

pred init {
  Up = Member and no Frozen and no Ordered
  no State.promised and no State.got and no State.known and no State.delivered and no State.signalled and no State.moved
  no from and no held and no entries
  all p: Member | one State.installed[p] and p in State.installed[p].members
  all v: Member.(State.installed) | v.members = State.installed.v
  -- A first view has no higher number than a proposal.
  all v: Member.(State.installed), w: View - Member.(State.installed) | v in number/prevs[w]
}
fact { all v: View | v.sequencer in v.members }

pred unchanged[p: set Member] {
  all q: Member - p {
    State.installed'[q] = State.installed[q] and State.promised'[q] = State.promised[q]
    State.got'[q] = State.got[q] and State.known'[q] = State.known[q]
    State.delivered'[q] = State.delivered[q] and State.signalled'[q] = State.signalled[q]
    State.moved'[q] = State.moved[q]
    q in Up' iff q in Up
    q in Frozen' iff q in Frozen
  }
}
pred noAnswers { from' = from and held' = held and entries' = entries }
pred same[p: Member] {
  State.installed'[p] = State.installed[p] and State.promised'[p] = State.promised[p] and State.moved'[p] = State.moved[p]
  State.delivered'[p] = State.delivered[p] and State.signalled'[p] = State.signalled[p]
}

-- A body arrives, the own one at once. Nothing is taken in between the SYNC and the next view.
pred receive[p: Member, m: Message] {
  p in Up and m.of = State.installed[p] and m not in bodies[p]
  p not in Frozen
  -- mutant no-freeze: p in Frozen implies m.origin != p
  m.origin = p or m in State.got[m.origin] + State.delivered[m.origin]
  State.got'[p] = State.got[p] + m
  State.known'[p] = State.known[p] and p in Up' and (p in Frozen' iff p in Frozen)
  same[p] and unchanged[p] and noAnswers and Ordered' = Ordered
}

-- The sequencer gives a place, or an entry of it arrives. Entries come one behind the other.
pred order[p: Member, m: Message] {
  p in Up - Frozen and m.of = State.installed[p] and m not in State.known[p]
  earlier[m] in State.known[p]
  m not in Ordered implies p = m.of.sequencer and m in bodies[p] and no Ordered & of.(m.of) & place/nexts[m]
  Ordered' = Ordered + m
  State.known'[p] = State.known[p] + m
  State.got'[p] = State.got[p] and p in Up' and p not in Frozen'
  same[p] and unchanged[p] and noAnswers
}

-- A member promises a proposal, and answers with its SYNC.
pred answer[p: Member, v: View] {
  p in Up and p in v.members and v in number/nexts[State.installed[p]]
  State.promised[p] in number/prevs[v]
  from' = from + v -> p -> State.installed[p]
  held' = held + v -> p -> State.got[p]
  entries' = entries + v -> p -> State.known[p]
  State.promised'[p] = v and p in Up' and p in Frozen'
  State.installed'[p] = State.installed[p] and State.got'[p] = State.got[p] and State.known'[p] = State.known[p]
  State.delivered'[p] = State.delivered[p] and State.signalled'[p] = State.signalled[p]
  State.moved'[p] = State.moved[p]
  unchanged[p] and Ordered' = Ordered
}

-- The members that come to a view from the same one.
fun transitional[p: Member, v: View]: set Member { v.from.(State.installed[p]) }

-- A member computes the outcome from all SYNCs.
pred install[p: Member, v: View] {
  p in Up and v.from.View = v.members and v in number/nexts[State.installed[p]]
  State.promised[p] = v
  -- mutant no-promise: p in v.members
  let t = transitional[p, v] {
    State.delivered'[p] = State.delivered[p] + State.got[p] + v.held[t]
    -- mutant own-bodies: State.delivered'[p] = State.delivered[p] + State.got[p]
    State.signalled'[p] = State.signalled[p] + { m: Message | some q: t | m in agreed[v.held[q], v.entries[q]] }
    -- mutant own-entries: State.signalled'[p] = State.signalled[p] + agreed[v.held[p], v.entries[p]]
  }
  State.moved'[p] = State.moved[p] + State.installed[p] -> v
  State.installed'[p] = v and State.promised'[p] = State.promised[p] and no State.got'[p] and no State.known'[p]
  p in Up' and p not in Frozen'
  unchanged[p] and noAnswers and Ordered' = Ordered
}

pred crash[p: Member] {
  p in Up and p not in Up' and p not in Frozen'
  State.got'[p] = State.got[p] and State.known'[p] = State.known[p]
  same[p] and unchanged[p] and noAnswers and Ordered' = Ordered
}
pred stop { Up' = Up and Frozen' = Frozen and Ordered' = Ordered and noAnswers and unchanged[none] }

fact behaviour {
  init
  always (stop or some p: Member {
    crash[p] or (some m: Message | receive[p, m] or order[p, m]) or (some v: View | answer[p, v] or install[p, v])
  })
}

-- no-freeze breaks synchrony
-- own-bodies breaks synchrony
-- no-promise breaks moves
-- own-entries breaks signal
-- gaps breaks prefix

-- reachable merge: two members of different views meet in a third one, with an agreed message behind them.
run merge {
  some disj p, q: Member, v: View | eventually (State.installed[p] = v and State.installed[q] = v
    and some u, w: View - v | u != w and u in State.moved[p].v and w in State.moved[q].v and some State.signalled[p])
} for 3 but 2 Member, 1 Message, 8 steps
-- lemma synchrony G3: members that go from one view to the next together have delivered the same messages in it.
check synchrony {
  always all p, q: Member, u, v: View |
    (u -> v in State.moved[p] and u -> v in State.moved[q]) implies State.delivered[p] & of.u = State.delivered[q] & of.u
} for 3 but 2 View, 1 Message, 8 steps
-- lemma moves G2: a member moves to higher numbers, and from the view that its SYNC named.
check moves {
  always all p: Member, u, v: View | u -> v in State.moved[p] implies (u in number/prevs[v] and u in v.from[p])
} for 3 but 2 Member, 1 Message, 8 steps
-- lemma signal G3: such members deliver the same messages before the transitional signal, and among them all that one of
-- them has delivered as agreed.
check signal {
  always all p, q: Member, u, v: View | (u -> v in State.moved[p] and u -> v in State.moved[q]) implies
    (State.signalled[p] & of.u = State.signalled[q] & of.u and agreed[v.held[p], v.entries[p]] in State.signalled[q])
} for 2 but 3 View, 9 steps
-- lemma prefix G3: before the signal there is no gap in the order.
check prefix {
  always all p: Member, m: State.signalled[p] | earlier[m] in State.signalled[p]
} for 2 but 2 View, 11 steps
