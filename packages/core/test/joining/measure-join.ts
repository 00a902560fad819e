import { TraceSink, type TraceEntry } from "@keymoot/transport"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { createMemoryStore } from "../../src/identity/index.ts"
import { openInProcess } from "../../src/node/open-identity.ts"
import { securedWith } from "../conference-run/waiting.ts"
import { DistantServer } from "./distant-server.ts"
import { VirtualTime } from "./virtual-time.ts"

const SERVER = "http://localhost:1"
/** The member is near the server, so each round trip is one between the newcomer and the server. */
const NEAR_MS = 0
/** As long as a person reads an invitation. */
const READING_MS = 5_000

export type JoinStep = "link-up" | "view-change" | "view" | "keyed" | "secured"
/** Virtual milliseconds since the newcomer has pressed "Join". */
export type JoinTimes = Readonly<Record<"member" | "newcomer", Readonly<Partial<Record<JoinStep, number>>>>>

const STEPS: readonly string[] = ["link-up", "view-change", "view", "keyed", "secured"] satisfies JoinStep[]

/** A newcomer joins a member over the relay, with the invitation open for a while. `newcomerIsLower`: its id is. */
export async function measureJoin(roundTripMs: number, newcomerIsLower: boolean): Promise<JoinTimes> {
  const time = new VirtualTime()
  const sink = new TraceSink().set("debug")
  const open = (name: string, server: DistantServer, oneWayMs: number): Promise<Identity> =>
    time.passUntil(openInProcess(name, createMemoryStore(), server.createHost(oneWayMs), { traceSink: sink }))
  try {
    for (;;) {
      const server = new DistantServer()
      const member = await open("Ada", server, NEAR_MS)
      const newcomer = await open("Bob", server, roundTripMs / 2)
      const times = await join(time, sink, member, newcomer, newcomerIsLower)
      await time.passUntil(Promise.all([member.close(), newcomer.close()]))
      if (times) return times
    }
  } finally {
    time.end()
  }
}

/** Null if the ids are in the other order: they are random. */
async function join(
  time: VirtualTime,
  sink: TraceSink,
  member: Identity,
  newcomer: Identity,
  newcomerIsLower: boolean,
): Promise<JoinTimes | null> {
  const first = await time.passUntil(Conference.create({ server: SERVER, identity: member }))
  await time.passUntil(securedWith(first, 1))
  const { url } = first.invitation
  await time.passUntil(Conference.preview({ url, identity: newcomer }))
  await time.passUntil(new Promise((done) => setTimeout(done, READING_MS)))
  const pressedMs = Date.now()
  const second = await time.passUntil(Conference.join({ url, identity: newcomer }))
  const [{ id: ada }, { id: bob }] = [first.self, second.self]
  if (bob < ada !== newcomerIsLower) return null
  await time.passUntil(Promise.all([first, second].map((each) => securedWith(each, 2))))
  const of = (member: string) =>
    stepsOf(
      sink.trace.entries.filter(({ self, atMs }) => self === member && atMs >= pressedMs),
      pressedMs,
    )
  return { member: of(ada), newcomer: of(bob) }
}

/** The first time of each step. */
function stepsOf(entries: readonly TraceEntry[], pressedMs: number): Partial<Record<JoinStep, number>> {
  const found: Record<string, number> = {}
  for (const { event, atMs } of entries) if (STEPS.includes(event)) found[event] ??= atMs - pressedMs
  return found
}
