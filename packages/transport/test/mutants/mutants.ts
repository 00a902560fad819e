/** Rules of the protocol, each with the edits that break it. The suite must find every one of them. */
export type Edit = { readonly file: string; readonly find: string; readonly replace: string }
export type Mutant = {
  readonly name: string
  readonly edits: readonly Edit[]
  /** A test of this folder that shows the rule by itself, and in the place of random schedules, where few of those depend on it. */
  readonly test?: string
}

const LOG = "ordering/message-log.ts"
const PARTICIPANT = "membership/participant.ts"
const COORDINATOR = "membership/coordinator.ts"

function edit(file: string, find: string, replace: string): Edit {
  return { file, find, replace }
}

/** Delivers frames of one service as soon as they are received, `beyond` their gap or not. */
function direct(service: string, beyond: number): readonly Edit[] {
  return [
    edit(
      LOG,
      "    const out: Delivery[] = []\n    for (let before = -1; before < out.length;) {\n      before = out.length",
      `
    const out: Delivery[] = []
    this.direct ??= new Set()
    this.received.forEach((count, sender) => {
      for (let sequence = this.delivered[sender] + 1; sequence <= count + ${beyond}; sequence++) {
        const frame = this.frame(sender, sequence)
        const key = sender + "/" + sequence
        if (frame?.service !== "${service}" || this.direct.has(key) || sequence > (limit?.upTo[sender] ?? Infinity)) continue
        this.direct.add(key)
        out.push({ frame, globalSequence: 0 })
      }
    })
    for (let before = -1; before < out.length;) {
      before = out.length`,
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
    edits: [edit(PARTICIPANT, 'if (compareProposals(proposal, this.#promised) <= 0) return "refuse"', "")],
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
    name: "keep a flag across views",
    edits: [edit(PARTICIPANT, "    this.#flushRequested = false\n", "")],
  },
  {
    name: "install without ACKCUT",
    edits: [edit(COORDINATOR, 'nothingMissing(run.syncs) ? "installed" : "cutting"', '"installed"')],
  },
  {
    name: "no freeze after SYNC",
    edits: [edit(PARTICIPANT, 'return this.#state.phase === "synced" || this.#frozenBefore', "return false")],
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
      edit(PARTICIPANT, "deliverRemainder(log().causalClosure(cut.upTo))", "deliverRemainder(cut.upTo)"),
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
    edits: [edit(PARTICIPANT, "    this.#compare(state)\n", "")],
  },
  {
    name: "epochs not durable",
    edits: [
      edit("testing/simulation.ts", "epochFloor = member.crash() + EPOCH_BLOCK", "epochFloor = 0 * member.crash()"),
    ],
  },
]
