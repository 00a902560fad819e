import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "./harness.ts"

test("members that come and go one at a time agree in one round, on a new key each time", () => {
  const harness = new Harness(createToyGroup())
  const present = [harness.start("a")]
  harness.change(present)
  const seen = new Set([harness.secrets.at(-1)!.secret])
  const expectKeyed = (rounds: number): void => {
    expect(harness.faults).toEqual([])
    expect(rounds).toBe(present.length > 1 ? 1 : 0)
    const secrets = new Set(present.map((id) => harness.member(id).secret?.secret))
    expect(secrets.size).toBe(1)
    const [secret] = secrets
    expect(secret).toBeDefined()
    expect(seen.has(secret!)).toBe(false)
    seen.add(secret!)
  }
  for (const name of "bcdefghijklmnop") {
    present.push(harness.start(name))
    expectKeyed(harness.change(present).rounds)
  }
  while (present.length > 1) {
    present.splice((present.length * 7) % present.length, 1)
    expectKeyed(harness.change(present).rounds)
  }
})
