import { edit, type Edit, type Mutant } from "./mutant.ts"
import { networkMutants } from "./network-mutants.ts"

const LOG = "ordering/message-log.ts"
const PARTICIPANT = "membership/participant.ts"
const PROPOSAL_VERDICT = "membership/proposal-verdict.ts"
const COORDINATOR = "membership/coordinator.ts"
const EARLY_LINKS = "liveness/early-links.ts"
const FLAP_DETECTOR = "membership/flap-detector.ts"
const VIEW_EVIDENCE = "membership/view-evidence.ts"
const WELL_FORMED = "member < count && member !== sender"

/** Delivers frames of one service as soon as they are received, `beyond` their gap or not. */
function direct(service: string, beyond: number): readonly Edit[] {
  return [
    edit(
      LOG,
      "    const due = this.#due\n    for (let before = -1; before < due.length;) {\n      before = due.length",
      `
    const due = this.#due
    this.direct ??= new Set()
    this.frames.received.forEach((count, sender) => {
      for (let sequence = this.delivered[sender] + 1; sequence <= count + ${beyond}; sequence++) {
        const frame = this.frames.frame(sender, sequence)
        const key = sender + "/" + sequence
        if (frame?.service !== "${service}" || this.direct.has(key) || sequence > (limit?.upTo[sender] ?? Infinity)) continue
        this.direct.add(key)
        due.push({ frame, globalSequence: 0 })
      }
    })
    for (let before = -1; before < due.length;) {
      before = due.length`,
    ),
    edit(
      LOG,
      "  #deliverable(sender: number, limit: DeliveryLimit | null): Delivery | null {",
      `
  #deliverable(sender: number, limit: DeliveryLimit | null): Delivery | null {
    while (this.direct?.has(sender + "/" + (this.delivered[sender] + 1))) this.delivered[sender]++`,
    ),
  ]
}

/** Rules of the protocol, each with the edits that break it. The suite must find every one of them. */
export const mutants: readonly Mutant[] = [
  {
    name: "drop g*",
    edits: [
      edit(
        "membership/decision.ts",
        "deliveredOrder: Math.max(0, ...reports.map((sync) => sync.deliveredOrder)),",
        "deliveredOrder: 0,",
      ),
    ],
  },
  {
    name: "skip the promised check",
    test: "group/promises.test.ts",
    edits: [edit(PROPOSAL_VERDICT, 'if (compareProposals(proposal, promised) <= 0) return "refuse"', "")],
  },
  {
    name: "count a new link on one end's word for ever",
    test: "liveness/newcomers-links.test.ts",
    edits: [edit(EARLY_LINKS, "while (this.nextTickMs <= nowMs) this.#early.shift()", "")],
  },
  {
    name: "count a link on one end's word again and again",
    test: "liveness/early-links.test.ts",
    edits: [edit(EARLY_LINKS, "if (stated.has(to)) continue", "")],
  },
  {
    name: "no more patience among many",
    test: "group/patience.test.ts",
    edits: [edit("view/patience.ts", "Math.max(1, members / FULL_MESH_MAX)", "1")],
  },
  {
    name: "exclude a silent member as early in a large view",
    test: "group/obstruction.test.ts",
    edits: [
      edit("group/repair.ts", "this.#context.proposalMs(view.members.length)", "this.#context.config.proposalMs"),
    ],
  },
  {
    name: "deliver past g*",
    edits: [edit(PARTICIPANT, "orderUpTo: cut.deliveredOrder }", "orderUpTo: Infinity }")],
  },
  {
    name: "forget a leftover",
    edits: [edit(LOG, "for (let leftover = this.#leftover(upTo); leftover;", "for (let leftover = null; leftover;")],
  },
  {
    name: "keep a phase across views",
    edits: [edit(PARTICIPANT, '    this.#state = { phase: "sending" }\n', "")],
  },
  {
    name: "install without ACKCUT",
    edits: [edit(COORDINATOR, 'nothingMissing(run.syncs) ? "installed" : "cutting"', '"installed"')],
  },
  {
    name: "no freeze after SYNC",
    edits: [
      edit(PARTICIPANT, 'return state.phase === "draining" ? state.frozen : state.phase !== "sending"', "return false"),
    ],
  },
  {
    name: "SYNC before flush_ok",
    edits: [
      edit(
        PARTICIPANT,
        'this.#context.emit({ type: "flushRequest", proposal, members, first })',
        `this.#context.emit({ type: "flushRequest", proposal, members, first })
    this.onFlushed(proposal, new Uint8Array(0), new Uint8Array(16).fill(proposal.epoch))`,
      ),
    ],
  },
  {
    name: "no causal closure of the cut",
    edits: [
      edit(PARTICIPANT, "deliverRemainder(log.causalClosure(cut.upTo))", "deliverRemainder(cut.upTo)"),
      edit(
        LOG,
        "    const limit = { upTo, orderUpTo: Infinity }",
        "    this.anyPast = true\n    const limit = { upTo, orderUpTo: Infinity }",
      ),
      edit(
        LOG,
        "    return this.#missing.isWithin(sender, frame.message.dependencies, this.delivered)",
        "    return this.anyPast || this.#missing.isWithin(sender, frame.message.dependencies, this.delivered)",
      ),
    ],
  },
  {
    name: "naive acks",
    test: "group/causal-past.test.ts",
    edits: [
      edit(
        "ordering/causal-past.ts",
        "entry.sequence > this.#closed[entry.sender]!",
        "entry.sequence > this.#frames.received[entry.sender]!",
      ),
    ],
  },
  { name: "fifo direct", edits: direct("fifo", 0) },
  { name: "reliable past gaps", edits: direct("reliable", 64) },
  {
    name: "T={self} always",
    edits: [edit(PARTICIPANT, "transitional: cut.transitional,", "transitional: [this.#context.config.self.id],")],
  },
  {
    name: "no comparison at the end of a view",
    test: "simulation/equivocation.test.ts",
    edits: [edit(PARTICIPANT, "    yield* this.#compare(state)\n", "")],
  },
  {
    name: "epochs not durable",
    edits: [
      edit(
        "testing/simulation/simulation.ts",
        "epochFloor = member.crash() + EPOCH_BLOCK",
        "epochFloor = 0 * member.crash()",
      ),
    ],
  },
  {
    name: "come and go for ever",
    test: "group/flap-detector.test.ts",
    edits: [edit("liveness/blame.ts", "++record.departures <= DEPARTURES_MAX", "++record.departures")],
  },
  {
    name: "go before the view, uncounted",
    test: "group/flap-detector.test.ts",
    edits: [
      edit(
        FLAP_DETECTOR,
        "  onAccept(members: readonly MemberInstance[]): void {",
        "  onAccept(members: readonly MemberInstance[]): void {\n    return",
      ),
    ],
  },
  {
    name: "a half counts as gone",
    test: "group/flap-detector.test.ts",
    edits: [edit(FLAP_DETECTOR, "    if (2 * gone.length >= this.#context.view.members.length) return\n", "")],
  },
  {
    name: "left out counts as gone",
    test: "group/flap-detector.test.ts",
    edits: [edit(FLAP_DETECTOR, "if (!this.#isWell(member, members)) this", "this")],
  },
  {
    name: "wait for whom a run was bereft of",
    test: "group/flap-detector.test.ts",
    edits: [edit("membership/initiator.ts", "this.#coordinator.bereft || ", "")],
  },
  {
    name: "two views, shown to nobody",
    test: "group/equivocation.test.ts",
    edits: [
      edit(
        VIEW_EVIDENCE,
        '    this.#context.emit({ type: "send", to: [from], bytes: this.#made.bytes, how: "reliable" })\n',
        "",
      ),
    ],
  },
  {
    name: "two views, nobody left out",
    test: "group/equivocation.test.ts",
    edits: [edit(VIEW_EVIDENCE, "    this.#context.blame(proposal.coordinator, BLAME_MAX)\n", "")],
  },
  {
    name: "one view told of as two",
    test: "group/equivocation.test.ts",
    edits: [
      edit(
        VIEW_EVIDENCE,
        "    if (viewIdOf(proposal, installed.members, complete) === installed.id) return true\n",
        "",
      ),
    ],
  },
  {
    name: "no evidence of the view before",
    test: "group/equivocation.test.ts",
    edits: [edit(VIEW_EVIDENCE, "[view, this.#former]", "[view]")],
  },
  {
    name: "no ORDER for whom one differs from already",
    test: "group/equivocation.test.ts",
    edits: [
      edit(
        "group/acknowledgements.ts",
        "    this.#report(from)\n    this.#frameEvidence.show(from, senders",
        "    if (this.#divergent.has(from)) this.#orderShown.add(from)\n    this.#report(from)\n    this.#frameEvidence.show(from, senders",
      ),
    ],
  },
  {
    name: "no room for ORDER that is early",
    test: "group/hostile/sync-bounds.test.ts",
    edits: [edit("ordering/global-order.ts", "2 * this.#unstableMax", "this.#unstableMax")],
  },
  {
    name: "the first member first in the order whenever there is room",
    test: "group/fair-order.test.ts",
    edits: [edit("ordering/global-order.ts", "(firstTurn + turn) % count", "turn")],
  },
  {
    name: "restart the sequencer's clock while the ORDER is full",
    test: "group/hostile/full-order.test.ts",
    edits: [
      edit(
        "group/repair.ts",
        "const elapsedMs = this.#isOrderKeptBack(nowMs, patienceMs) ? 0 :",
        "if (log.order.full) this.#orderWait = this.#unserved = null\n    const elapsedMs =",
      ),
    ],
  },
  {
    name: "one share for all who claim something",
    test: "group/frame-evidence.test.ts",
    edits: [
      edit(
        "group/frame-evidence.ts",
        "this.#shownBytes.get(to) ?? 0",
        "[...this.#shownBytes.values()].reduce((sum, bytes) => sum + bytes, 0)",
      ),
    ],
  },
  {
    name: "evidence shown from the oldest on",
    test: "group/frame-evidence.test.ts",
    edits: [edit("group/frame-evidence.ts", "Math.max(stable, this.#agreedOn(to, sender))", "stable")],
  },
  {
    name: "move along with another vector",
    test: "group/hostile/malformed.test.ts",
    edits: [edit("membership/decision.ts", " && received.length === members.length", "")],
  },
  {
    name: "a past of nobody",
    test: "group/hostile/malformed.test.ts",
    edits: [edit("group/traffic.ts", WELL_FORMED, "member !== sender")],
  },
  {
    name: "a past of its own",
    test: "group/hostile/malformed.test.ts",
    edits: [edit("group/traffic.ts", WELL_FORMED, "member < count")],
  },
  {
    name: "a past where none is needed",
    test: "group/hostile/malformed.test.ts",
    edits: [edit("group/traffic.ts", "return dependencies.length === 0", "return true")],
  },
  ...networkMutants,
]
