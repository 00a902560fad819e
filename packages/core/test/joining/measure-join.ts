import { TraceSink, type TraceEntry } from "@keymoot/transport"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openInProcess } from "../../src/node/open-identity.ts"
import { securedWith } from "../conference-run/waiting.ts"
import { DistantServer } from "./distant-server.ts"
import { VirtualTime } from "./virtual-time.ts"

const SERVER = "http://localhost:1"
/** The member is near the server, so each round trip is one between the newcomer and the server. */
const NEAR_MS = 0
/** As long as a person reads an invitation. */
const READING_MS = 5_000
/** As in the benchmark of the papers' sites. Both ends notice the outage in its middle. */
const [BEFORE_MS, OUTAGE_MS, NOTICED_MS] = [15_000, 21_000, 13_000]

export type JoinStep = "link-up" | "view-change" | "view" | "keyed" | "secured"
/** Virtual milliseconds since the newcomer has pressed "Join". */
export type JoinTimes = Readonly<Record<"member" | "newcomer", Readonly<Partial<Record<JoinStep, number>>>>>

const STEPS: readonly string[] = ["link-up", "view-change", "view", "keyed", "secured"] satisfies JoinStep[]

/** A newcomer joins a member over the relay, with the invitation open for a while. `newcomerIsLower`: its id is. */
export function measureJoin(roundTripMs: number, newcomerIsLower: boolean): Promise<JoinTimes> {
  return measure(roundTripMs, newcomerIsLower, false)
}

/** The same newcomer comes back after an outage. Times count from its new connection to the server. */
export function measureReturn(roundTripMs: number, newcomerIsLower: boolean): Promise<JoinTimes> {
  return measure(roundTripMs, newcomerIsLower, true)
}

async function measure(roundTripMs: number, newcomerIsLower: boolean, isReturn: boolean): Promise<JoinTimes> {
  const time = new VirtualTime()
  const sink = new TraceSink().set("debug")
  const open = (name: string, server: DistantServer, oneWayMs: number): Promise<Identity> =>
    time.passUntil(openInProcess(name, createMemoryStore(), server.createHost(oneWayMs), { traceSink: sink }))
  try {
    for (;;) {
      const server = new DistantServer()
      const member = await open("Ada", server, NEAR_MS)
      const newcomer = await open("Bob", server, roundTripMs / 2)
      const cutOff = isReturn ? (): Promise<void> => outage(time, server, roundTripMs / 2) : null
      const times = await join(time, sink, [member, newcomer], newcomerIsLower, cutOff)
      await time.passUntil(Promise.all([member.close(), newcomer.close()]))
      if (times) return times
    }
  } finally {
    time.end()
  }
}

/** The newcomer is cut off, and reaches the server again afterwards. */
async function outage(time: VirtualTime, server: DistantServer, oneWayMs: number): Promise<void> {
  await pass(time, BEFORE_MS)
  server.cut(oneWayMs, NOTICED_MS)
  await pass(time, OUTAGE_MS)
  server.heal()
}

function pass(time: VirtualTime, ms: number): Promise<void> {
  return time.passUntil(new Promise((done) => setTimeout(done, ms)))
}

/** Null if the ids are in the other order: they are random. `cutOff`: afterwards the newcomer comes back. */
async function join(
  time: VirtualTime,
  sink: TraceSink,
  [member, newcomer]: readonly [Identity, Identity],
  newcomerIsLower: boolean,
  cutOff: (() => Promise<void>) | null,
): Promise<JoinTimes | null> {
  const first = await time.passUntil(Conference.create({ server: SERVER, identity: member }))
  await time.passUntil(securedWith(first, 1))
  const { url } = first.invitation
  await time.passUntil(Conference.preview({ url, identity: newcomer }))
  await pass(time, READING_MS)
  let fromMs = Date.now()
  const second = await time.passUntil(Conference.join({ url, identity: newcomer }))
  const [{ id: ada }, { id: bob }] = [first.self, second.self]
  if (bob < ada !== newcomerIsLower) return null
  const together = (): Promise<unknown> =>
    time.passUntil(Promise.all([first, second].map((each) => securedWith(each, 2))))
  await together()
  if (cutOff) {
    await cutOff()
    fromMs = Date.now()
    await together()
  }
  const of = (member: string) =>
    stepsOf(
      sink.trace.entries.filter(({ self, atMs }) => self === member && atMs >= fromMs),
      fromMs,
    )
  return { member: of(ada), newcomer: of(bob) }
}

/** The first time of each step. */
function stepsOf(entries: readonly TraceEntry[], fromMs: number): Partial<Record<JoinStep, number>> {
  const found: Record<string, number> = {}
  for (const { event, atMs } of entries) if (STEPS.includes(event)) found[event] ??= atMs - fromMs
  return found
}
