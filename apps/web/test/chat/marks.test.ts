import type { ChannelMessage, Member } from "@keymoot/core"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  MARKED_CHARACTERS_MAX,
  MARKED_MESSAGES_MAX,
  MESSAGE_LENGTH_MAX,
  addMark,
  decodeMark,
  encodeMark,
  isEdited,
  reactionsOf,
  textOf,
} from "../../src/session/marks.ts"
import type { Mark, Marks } from "../../src/session/marks.ts"

const person = (id: string) => ({ id, name: id, self: false }) as unknown as Member
const [ada, eve] = [person("ada"), person("eve")]
const said = (from: Member, text: string) => ({ id: `${from.id}/1`, from, text }) as unknown as ChannelMessage
const at = (from: Member, sequence: number) => ({ from, position: { epoch: 1, view: "v", sequence } })
type Said = readonly [Mark, ReturnType<typeof at>]
const fold = (all: readonly Said[]) => all.reduce<Marks>((marks, [mark, by]) => addMark(marks, mark, by), new Map())

const hello = said(ada, "hello")
const edit = (text: string): Mark => ({ type: "edit", of: hello.id, text })
const remove: Mark = { type: "delete", of: hello.id }
const thumb = (on: boolean): Mark => ({ type: "reaction", of: hello.id, emoji: "👍", on })

describe("marks of messages", () => {
  it("keep so many characters when one person changes ten times as many, the last ones", () => {
    const text = "x".repeat(MESSAGE_LENGTH_MAX)
    const count = (10 * MARKED_CHARACTERS_MAX) / text.length
    const marks = fold(
      Array.from({ length: count }, (_, i) => [{ type: "edit", of: `${eve.id}/${i}`, text }, at(eve, i)] as const),
    )
    expect(marks.size).toBe(MARKED_CHARACTERS_MAX / text.length)
    expect(marks.has(`${eve.id}/${count - 1}`)).toBe(true)
  })

  it("show the text after its author's last edit, and that it was edited", () => {
    const marks = fold([[edit("hi"), at(ada, 2)]]).get(hello.id)
    expect([textOf(hello, marks), isEdited(hello, marks)]).toEqual(["hi", true])
    expect([textOf(hello, undefined), isEdited(hello, undefined)]).toEqual(["hello", false])
  })

  it("let nobody change or delete what another person wrote", () => {
    const marks = fold([
      [edit("I owe you everything"), at(eve, 2)],
      [remove, at(eve, 3)],
    ]).get(hello.id)
    expect([textOf(hello, marks), isEdited(hello, marks)]).toEqual(["hello", false])
  })

  it("come out the same on every screen, in any order of arrival", () => {
    const all: readonly Said[] = [
      [edit("one"), at(ada, 2)],
      [edit("two"), at(ada, 3)],
      [thumb(true), at(eve, 4)],
      [thumb(false), at(eve, 5)],
      [thumb(true), at(ada, 6)],
    ]
    const shown = (marks: Marks) => {
      const mine = marks.get(hello.id)
      return [textOf(hello, mine), reactionsOf(mine).map(({ emoji, people }) => [emoji, people.map(({ id }) => id)])]
    }
    fc.assert(
      fc.property(fc.shuffledSubarray([...all], { minLength: all.length }), (shuffled) => {
        expect(shown(fold(shuffled))).toEqual(["two", [["👍", ["ada"]]]])
      }),
    )
  })

  it("never bring back what was deleted", () => {
    const changes: readonly Said[] = [
      [edit("before"), at(ada, 2)],
      [remove, at(ada, 3)],
      [edit("after"), at(ada, 4)],
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray([...changes], { minLength: 3 }), (shuffled) => {
        expect(textOf(hello, fold(shuffled).get(hello.id))).toBeNull()
      }),
    )
  })

  it("fill no memory when nobody wrote their messages", () => {
    let marks: Marks = new Map()
    for (let i = 0; i < MARKED_MESSAGES_MAX + 50; i++)
      marks = addMark(marks, { type: "reaction", of: `made up ${i}`, emoji: "👀", on: true }, at(eve, i))
    expect(marks.size).toBe(MARKED_MESSAGES_MAX)
    expect(marks.has("made up 0")).toBe(false)
  })

  it("travel as text and come back equal", () => {
    for (const mark of [edit("x"), remove, thumb(true)]) expect(decodeMark(encodeMark(mark))).toEqual(mark)
  })

  it.each([
    "",
    "null",
    "[]",
    '"edit"',
    '{"type":"edit","of":"a"}',
    '{"type":"edit","of":"a","text":" "}',
    `{"type":"edit","of":"a","text":"${"x".repeat(MESSAGE_LENGTH_MAX + 1)}"}`,
    `{"type":"delete","of":"${"x".repeat(201)}"}`,
    '{"type":"delete","of":7}',
    '{"type":"reaction","of":"a","emoji":"a long insult","on":true}',
    '{"type":"reaction","of":"a","emoji":"👍"}',
    '{"type":"own-the-page","of":"a"}',
  ])("a peer's %s is none", (text) => {
    expect(decodeMark(text)).toBeNull()
  })
})
