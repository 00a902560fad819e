/** One person can come with any number of identities, each of which a conference remembers for a while. */
import { expect, test } from "vitest"
import { SEEN_MAX, SeenPeople } from "../../src/admission/seen-people.ts"

/** Each comes, is in for so long, and goes. */
function crowd(people: SeenPeople, count: number, fromMs: number, eachMs: number): void {
  for (let n = 0; n < count; n++) {
    people.entered(`sybil ${fromMs} ${n}`, fromMs + n * eachMs)
    people.left(`sybil ${fromMs} ${n}`, fromMs + (n + 1) * eachMs)
  }
}

test("remembers no more than a new invitation can name when a crowd comes and goes", () => {
  const people = new SeenPeople()
  crowd(people, 10 * SEEN_MAX, 0, 10)
  expect(people.size).toBe(SEEN_MAX)
})

test("forgets nobody who was in for longer when a crowd comes and goes", () => {
  const people = new SeenPeople()
  people.entered("ada", 0)
  people.entered("bob", 0)
  people.left("bob", 60_000)
  crowd(people, 10 * SEEN_MAX, 60_000, 1000)
  const nowMs = 60_000 + 10 * SEEN_MAX * 1000
  people.left("ada", nowMs)
  crowd(people, 10 * SEEN_MAX, nowMs, 1000)
  expect(people.keys(2 * nowMs).slice(0, 2)).toEqual(["ada", "bob"])
})

test("counts the time of a person with two devices once, until both are gone", () => {
  const people = new SeenPeople()
  people.entered("ada", 0)
  people.entered("ada", 1000)
  people.left("ada", 2000)
  people.entered("bob", 2000)
  people.left("bob", 4500)
  people.left("ada", 3000)
  people.left("ada", 9000)
  expect(people.keys(9000)).toEqual(["ada", "bob"])
})

test("remembers who is in before who is away when there are too many", () => {
  const people = new SeenPeople()
  people.entered("bob", 0)
  people.left("bob", 5000)
  for (let n = 0; n < SEEN_MAX; n++) people.entered(`here ${n}`, 6000)
  expect(people.keys(6000)).not.toContain("bob")
  expect(people.size).toBe(SEEN_MAX)
})
