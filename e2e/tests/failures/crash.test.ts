import { expect, test } from "../../support/fixtures.ts"
import { meet, seeSameChat, talkAtOnce } from "../../support/scenes.ts"

const VICTIMS = [
  { victim: "the one who started the conference", tag: [] },
  { victim: "the one who came last", tag: "@deep" },
]

for (const { victim, tag } of VICTIMS) {
  test(
    `the browser of ${victim} is killed: the others are secured and continue`,
    { tag },
    async ({ server, people }) => {
      const { person: victor, kill } = await people.arriveMortal("Victor")
      const ada = await people.arrive("Ada")
      const bob = await people.arrive("Bob")
      const order = victim === "the one who came last" ? [ada, bob, victor] : [victor, ada, bob]
      const [creator = victor, ...joiners] = order
      await meet(server.origin, creator, ...joiners)
      const before = await talkAtOnce([ada, bob], 3, "tea")
      await seeSameChat([ada, bob], before)
      const epochOfThree = await ada.epoch()

      await kill()
      const meanwhile = await talkAtOnce([ada, bob], 5, "silence")

      for (const person of [ada, bob]) await person.seesEncryptedFor(2)
      expect(await ada.epoch()).toBeGreaterThan(epochOfThree)
      expect(await ada.people()).toEqual(["Ada (you)", "Bob"])
      const after = await talkAtOnce([ada, bob], 3, "cake")
      await seeSameChat([ada, bob], [...before, ...meanwhile, ...after])
    },
  )
}
