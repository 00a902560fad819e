import { describe, expect, it } from "vitest"
import { Person, settle } from "./boardPerson.ts"
import { stroke } from "./elements.ts"

const spoilings: [string, (person: Person, id: string) => void][] = [
  ["deletes it from the map", (person, id) => person.map.delete(id)],
  ["overwrites it with garbage", (person, id) => person.map.set(id, "garbage")],
]

describe.each(spoilings)("an edit in progress of an element whose shared copy waits, when somebody %s", (_, spoil) => {
  function withWaitingChange() {
    const [ada, bob] = [new Person(), new Person()]
    ada.draw(stroke("s"))
    settle(ada, bob)
    ada.hand.add("s")
    bob.draw(stroke("s", { version: 4, x: 4 }))
    settle(ada, bob)
    spoil(bob, "s")
    settle(ada, bob)
    return { ada, bob }
  }

  it("is shared when it is finished", () => {
    const { ada, bob } = withWaitingChange()
    ada.draw(stroke("s", { version: 5, x: 42 }))
    ada.hand.clear()
    ada.draw(stroke("s", { version: 6, x: 43 }))
    settle(ada, bob)
    expect(bob.see("s")).toMatchObject({ x: 43 })
  })

  it("is shared when the board is closed", () => {
    const { ada, bob } = withWaitingChange()
    ada.scene = [stroke("s", { version: 5, x: 42 })]
    ada.hand.clear()
    ada.binding.close()
    settle(ada, bob)
    expect(bob.see("s")).toMatchObject({ x: 42 })
  })
})
