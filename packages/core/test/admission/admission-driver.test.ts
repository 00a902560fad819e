import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test, vi } from "vitest"
import { AdmissionDriver, type AdmissionDriverConfig } from "../../src/admission/admission-driver.ts"
import { VOUCH_AGAIN_MS } from "../../src/admission/statements/vouch.ts"
import { newcomer } from "../identity/people.ts"
import { checker, scope, TIMES } from "./hosts.ts"

/** A creator alone, whose wall clock stands still. */
async function creator(): Promise<AdmissionDriver> {
  const identity = await newcomer("Ada")
  const { descriptorHash: hash } = scope
  const conferenceId = bytesToHex(scope.conferenceId)
  const roomKey = new Uint8Array(32)
  const secret = new Uint8Array(16)
  const invitation = { server: "https://meet.example", conferenceId, secret, descriptorHash: hash, roomKey }
  const config = {
    descriptor: { conferenceId, hash, roomKey, creator: identity, admission: { policy: "link" }, ...TIMES },
    record: { invitation, secrets: [secret], unproven: null },
    identity,
    people: {},
    copyOnly: false,
    checker,
    cryptography: {},
    known: new Map(),
    clock: { now: () => TIMES.startsAtMs },
    sink: { take: () => undefined },
    faults: { fail: (error: unknown) => expect.fail(String(error)) },
  }
  return new AdmissionDriver(config as unknown as AdmissionDriverConfig)
}

test("dates each vouch later than the last one when the clock stands still", async () => {
  const driver = await creator()
  const step = vi.spyOn(driver.core, "step")
  const dates = () => step.mock.calls.flatMap(([input]) => (input.type === "vouch" ? [input.vouch.saidAtMs] : []))
  driver.tick(0)
  await expect.poll(dates).toEqual([TIMES.startsAtMs])
  driver.tick(VOUCH_AGAIN_MS)
  await expect.poll(dates).toEqual([TIMES.startsAtMs, TIMES.startsAtMs + 1])
})
