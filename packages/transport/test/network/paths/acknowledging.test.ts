import { describe, expect, test } from "vitest"
import { ACK_BEHIND_BYTES_MAX, ACK_PATIENCE_MS, SLOWEST_LINE } from "../../../src/bounds/network-bounds.ts"
import { AckDeadline } from "../../../src/network/link/ack-deadline.ts"
import type { ResumableLinkOutput } from "../../../src/network/link/link-io.ts"
import { ReliableSession, sessionNonce } from "../../../src/network/link/reliable-session.ts"
import { ResumableLink } from "../../../src/network/link/resumable-link.ts"
import type { Connection } from "../../../src/network/path/connection.ts"
import { TwoEnds } from "./two-ends.ts"

test("acknowledges a message again that comes again: the first answer may be lost", () => {
  const session = new ReliableSession(sessionNonce(1, new Uint8Array(8)))
  expect(session.receive(1)).toBe("new")
  const acknowledgement = { kind: "ack", received: 1 }
  expect([session.ack(), session.ack()]).toEqual([acknowledgement, null])
  expect(session.receive(1)).toBe("known")
  expect([session.ack(), session.ack()]).toEqual([acknowledgement, null])
})

test("knows which messages are under way", () => {
  const session = new ReliableSession(sessionNonce(1, new Uint8Array(8)))
  const message = (last: number, length = 100) => Uint8Array.of(...new Uint8Array(length - 1), last)
  session.send(message(1))
  const known = [message(1), message(2), message(1, 99)].map((bytes) => session.isUnderWay(bytes))
  expect(known).toEqual([true, false, false])
  session.acknowledge(1)
  expect(session.isUnderWay(message(1))).toBe(false)
})

describe("a slow line", () => {
  for (const [kilobytes, rate] of [
    [132, 12],
    [256, 8],
  ] as const) {
    test(`carries ${kilobytes} KiB at ${rate} KiB/s in one message, and stays`, () => {
      const both = new TwoEnds()
      both.open("server")
      both.open("webrtc")
      both.pass(500)
      const { changes, paths } = both
      both.rates[0] = rate * 1024
      both.send(0, 1, kilobytes * 1024)
      both.pass((kilobytes / rate) * 1000 + 2_000)
      both.rates[0] = Infinity
      both.pass(500, 0)
      expect(both.faults).toEqual([])
      expect(both.received.map(({ length }) => length)).toEqual([both.sent[1], both.sent[0]])
      expect(both.changes).toBe(changes)
      expect(paths.every(({ halves }) => halves.every(({ isOpen }) => isOpen))).toBe(true)
    })
  }

  test("is given up for another path when nothing comes over it for ten seconds", () => {
    const both = new TwoEnds()
    both.open("webrtc")
    both.pass(500)
    const [direct] = both.paths
    direct!.isStalled = true
    both.pass(10_000)
    expect(direct!.halves.map(({ isOpen }) => isOpen)).toEqual([true, true])
    both.pass(500)
    expect(direct!.halves.map(({ isOpen }) => isOpen)).toEqual([false, false])
  })
})

describe("the deadline of acknowledgements", () => {
  const BYTES = 80 * 1024
  const DUE_MS = ACK_PATIENCE_MS + BYTES / SLOWEST_LINE

  function waiting() {
    const session = new ReliableSession(sessionNonce(1, new Uint8Array(8)))
    for (let each = 0; each < 10; each++) session.send(new Uint8Array(BYTES / 10))
    const deadline = new AckDeadline()
    let nowMs = 0
    /** Whether it passes on the way to this time. */
    const passesBy = (untilMs: number): boolean => {
      let isOver = deadline.isOver(session, nowMs)
      while (nowMs < untilMs) {
        nowMs = Math.min(untilMs, nowMs + 1_000)
        isOver ||= deadline.isOver(session, nowMs)
      }
      return isOver
    }
    expect(passesBy(0)).toBe(false)
    return { session, deadline, passesBy }
  }

  test("passes when one message after another is acknowledged too slowly", () => {
    const { session, passesBy } = waiting()
    for (let received = 1; received < 10; received++) {
      session.acknowledge(received)
      expect(passesBy((received * DUE_MS) / 10)).toBe(false)
    }
    expect(passesBy(DUE_MS)).toBe(false)
    expect(passesBy(DUE_MS + 1)).toBe(true)
  })

  test("begins again when everything that waited then is acknowledged", () => {
    const { session, passesBy } = waiting()
    session.send(new Uint8Array(8))
    expect(passesBy(DUE_MS)).toBe(false)
    session.acknowledge(10)
    expect(passesBy(DUE_MS + 1)).toBe(false)
    const nextMs = DUE_MS + ACK_PATIENCE_MS + 8 / SLOWEST_LINE
    expect(passesBy(nextMs)).toBe(false)
    expect(passesBy(nextMs + 1)).toBe(true)
    session.acknowledge(11)
    expect(passesBy(nextMs + 1)).toBe(false)
  })

  test("begins again when this device has slept", () => {
    const { session, deadline, passesBy } = waiting()
    expect(passesBy(DUE_MS)).toBe(false)
    expect(deadline.isOver(session, 3 * DUE_MS)).toBe(false)
  })

  test("comes later with what the peer sends meanwhile, but not for ever", () => {
    const { deadline, passesBy } = waiting()
    deadline.delayedBy(ACK_BEHIND_BYTES_MAX / 2)
    expect(passesBy(DUE_MS + ACK_BEHIND_BYTES_MAX / 2 / SLOWEST_LINE)).toBe(false)
    deadline.delayedBy(100 * ACK_BEHIND_BYTES_MAX)
    const latestMs = DUE_MS + ACK_BEHIND_BYTES_MAX / SLOWEST_LINE
    expect(passesBy(latestMs)).toBe(false)
    expect(passesBy(latestMs + 1)).toBe(true)
  })

  /** Deadlines of the members that one with the slowest line is linked with, while it takes or sends 64 KiB for each. */
  function shared(members: number) {
    const bytes = 64 * 1024
    const links = Array.from({ length: members }, () => ({
      session: new ReliableSession(sessionNonce(1, new Uint8Array(8))),
      deadline: new AckDeadline(),
    }))
    const allMs = (members * bytes) / SLOWEST_LINE
    expect(allMs).toBeGreaterThan(ACK_PATIENCE_MS + bytes / SLOWEST_LINE)
    return { bytes, links, allMs }
  }

  test("does not pass while a slow line takes as much from other members", () => {
    const { bytes, links, allMs } = shared(4)
    for (const { session, deadline } of links) {
      for (let each = 0; each < 16; each++) session.send(new Uint8Array(bytes / 16))
      deadline.delayedBy(3 * bytes)
    }
    for (let nowMs = 0; nowMs < allMs; nowMs += 100) {
      for (const { session, deadline } of links) {
        expect(deadline.isOver(session, nowMs)).toBe(false)
        session.acknowledge(Math.floor((16 * nowMs) / allMs))
      }
    }
  })

  test("does not pass while a slow line still carries what came before", () => {
    const { bytes, links, allMs } = shared(6)
    const { session, deadline } = links[0]!
    deadline.isOver(session, 0)
    deadline.delayedBy(5 * bytes)
    for (let nowMs = 100; nowMs <= 10_000; nowMs += 100) deadline.isOver(session, nowMs)
    session.send(new Uint8Array(bytes))
    for (let nowMs = 10_100; nowMs < allMs; nowMs += 100) expect(deadline.isOver(session, nowMs)).toBe(false)
  })

  test("blames nobody when both paths of the link are silent", () => {
    const both = new TwoEnds()
    both.open("server")
    both.open("webrtc")
    both.pass(2_000)
    for (const path of both.paths) path.isStalled = true
    for (const end of [0, 1] as const) both.send(end, 1)
    both.pass(25_000, 0)
    const down = "down: it took too little for too long"
    expect(both.faults).toEqual([down, down])
  })

  test("stays when a member that acknowledges nothing changes its connection", () => {
    const outputs: ResumableLinkOutput["type"][] = []
    const own = sessionNonce(1, new Uint8Array(8))
    const link = new ResumableLink(own, ({ type }) => outputs.push(type))
    const connect = (attempt: number): Connection => {
      const config = { carrier: { type: "webrtc" }, attempt, role: "initiator" }
      const connection = { config, control: () => {}, queue: () => {} } as unknown as Connection
      const known = attempt === 1 ? null : own
      link.established(connection)
      link.handleControl(connection, { kind: "resume", own: sessionNonce(1, new Uint8Array(8)), known, received: 0 }, 0)
      return connection
    }
    let connection = connect(1)
    link.send(new Uint8Array(8), "reliable", false)
    let down: string | null = null
    for (let nowMs = 100; down === null && nowMs < 2 * ACK_PATIENCE_MS; nowMs += 100) {
      if (nowMs % 5_000 === 0) {
        link.ended(connection, "by-peer", "closed", nowMs)
        connection = connect(nowMs)
      }
      link.heard(connection, nowMs)
      link.deadline.delayedBy(60)
      down = link.tick(nowMs)
    }
    expect(down).toBe("it took too little for too long")
    expect(outputs.filter((type) => type === "obstructed")).toHaveLength(1)
  })
})
