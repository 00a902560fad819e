/** Members come and go under a call of two people, one change a second: what each change costs the call. */
import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "@playwright/test"
import { type Agreement, watchAgreements } from "./agreements.ts"
import { ComingAndGoing } from "./coming-and-going.ts"
import { type FrameCount, frameCounts } from "../calls/frame-counts.ts"
import type { Person } from "../person.ts"
import { type Gap, gapsOf, longest, watchGaps } from "../calls/sound-gaps.ts"
import type { VisitorCommand } from "./visitors.ts"

/** From one change to the next, unless the agreement takes longer. */
const APART_MS = 1000
/** Without changes, before the first one: what this machine and the counters make by themselves. */
const CALM_MS = 10_000

/** Both ends together. Gaps and freezes are the longest ones that began between this change and the next. */
export type Change = {
  readonly act: VisitorCommand["act"]
  readonly videoLost: number
  readonly audioLost: number
  /** Longest wait of a frame for its key. 0: none of the call had to wait for longer than one before. */
  readonly heldMs: number
  /** Frames that were sent or refused under a key that an absent member knows. */
  readonly sentFormer: number
  readonly refusedFormer: number
  /** Frames that arrived under such a key and had been sent before. */
  readonly inFlight: number
  readonly agreementMs: number
  readonly soundGapMs: number
  readonly freezeMs: number
}

export type Rekeying = {
  readonly changes: readonly Change[]
  readonly seconds: number
  /** Longest ones of the calm seconds. */
  readonly calm: { readonly soundGapMs: number; readonly freezeMs: number }
  readonly frames: number
}

type Moment = { readonly atMs: number; readonly counts: readonly FrameCount[] }

const sum = (counts: readonly FrameCount[], value: (count: FrameCount) => number): number =>
  counts.reduce((total, count) => total + value(count), 0)
const of = (counts: readonly FrameCount[], source: string): readonly FrameCount[] =>
  counts.filter((count) => count.source === source)
/** Frames that were dropped, except repetitions of frames that were decoded. */
const lost = ({ dropped }: FrameCount): number =>
  Object.entries(dropped).reduce((total, [reason, count]) => (reason === "replayed" ? total : total + count), 0)
const refused = ({ dropped }: FrameCount): number => dropped["former-key"] ?? 0
const former = (wanted: FrameCount["direction"]) => (count: FrameCount) =>
  count.direction === wanted ? count.formerPassed : 0
const spoken = ({ source, direction, passed }: FrameCount): number =>
  source === "microphone" && direction === "send" ? passed : 0
const within = <Each extends { readonly sinceMs: number }>(
  all: readonly Each[],
  fromMs: number,
  toMs: number,
): Each[] => all.filter(({ sinceMs }) => sinceMs >= fromMs && sinceMs < toMs)
const longestHold = ({ counts }: Moment): number => Math.max(...counts.map(({ heldMs }) => heldMs))
const longestOf = (all: readonly Agreement[]): number => Math.max(0, ...all.map((each) => each.untilMs - each.sinceMs))

/** @param pair who are in the call, and watch their frames */
export async function rekeyUnderCall(
  pair: readonly Person[],
  url: string,
  acts: readonly VisitorCommand["act"][],
): Promise<Rekeying> {
  const visitors = new ComingAndGoing(url)
  const agreements = pair.map(watchAgreements)
  const look = async (): Promise<Moment> => {
    const atMs = Date.now()
    return { atMs, counts: (await Promise.all(pair.map(frameCounts))).flat() }
  }
  const change = async (act: VisitorCommand["act"]): Promise<void> => {
    await visitors.change(act)
    people += act === "come" ? 1 : -1
    await Promise.all(pair.map((person) => person.seesEncryptedFor(people)))
    await Promise.all(pair.map(speaksOn))
  }
  let people = pair.length
  try {
    // The process of the visitors loads its program, which would count as a change.
    for (const act of ["come", "go"] as const) await change(act)
    for (const { page } of pair) await watchGaps(page)
    const calm = Date.now()
    await sleep(CALM_MS)
    const moments = [await look()]
    const began = moments[0]!.atMs
    for (const [index, act] of acts.entries()) {
      await change(act)
      await sleep(Math.max(0, began + (index + 1) * APART_MS - Date.now()))
      moments.push(await look())
    }
    const seconds = (moments.at(-1)!.atMs - began) / 1000
    // The last gaps end later than they began.
    await sleep(APART_MS)
    const gaps = await Promise.all(pair.map(({ page }) => gapsOf(page)))
    const between = (fromMs: number, toMs: number) => {
      const longestIn = (all: readonly (readonly Gap[])[]) => longest(within(all.flat(), fromMs, toMs))
      return {
        agreementMs: longestOf(within(agreements.flat(), fromMs, toMs)),
        soundGapMs: longestIn(gaps.map(({ sound }) => sound)),
        freezeMs: longestIn(gaps.map(({ freezes }) => freezes)),
      }
    }
    const changes = acts.map((act, index) => {
      const [before, after] = [moments[index]!, moments[index + 1]!] as const
      const grown = (value: (count: FrameCount) => number, source?: string): number => {
        const [then, now] = [before, after].map(({ counts }) => sum(source ? of(counts, source) : counts, value))
        return now! - then!
      }
      return {
        act,
        videoLost: grown(lost, "camera"),
        audioLost: grown(lost, "microphone"),
        heldMs: longestHold(after) > longestHold(before) ? longestHold(after) : 0,
        sentFormer: grown(former("send")),
        refusedFormer: grown(refused),
        inFlight: grown(former("receive")),
        ...between(before.atMs, after.atMs),
      }
    })
    const frames = sum(moments.at(-1)!.counts, ({ passed }) => passed)
    return { changes, seconds, calm: between(calm, began), frames }
  } finally {
    await visitors.close()
  }
}

/** Resolves when this person's voice leaves again: its media worker has the key, and has dropped what came too late. */
async function speaksOn(person: Person): Promise<void> {
  const before = sum(await frameCounts(person), spoken)
  await expect
    .poll(async () => sum(await frameCounts(person), spoken), { message: `${person.name} speaks`, intervals: [50] })
    .toBeGreaterThan(before)
}
