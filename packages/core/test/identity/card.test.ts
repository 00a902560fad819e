import { describe, expect, test } from "vitest"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { formatCard, parseCard } from "../../src/identity/card.ts"
import { newcomer } from "./people.ts"

const checker = createCredentialChecker()
const ada = await newcomer("Ada Lovelace")
const card = formatCard(ada.certificate)

describe("a card", () => {
  test("gives its owner's name, id and key when pasted, also with a mail's line breaks", async () => {
    const broken = `  ${card.replaceAll(/.{60}/gu, "$&\r\n ")} \n`
    for (const text of [card, broken]) {
      expect(await parseCard(text, checker)).toMatchObject({ name: "Ada Lovelace", member: ada.member })
    }
    expect((await parseCard(card, checker)).publicKey).toEqual(ada.publicKey)
  })

  test("is short, even with the longest name", async () => {
    const longest = await newcomer("𝒜".repeat(60))
    expect(formatCard(longest.certificate).length).toBeLessThan(1100)
    expect(card.length).toBeLessThan(400)
  })
})

test.each([
  ["nothing", "", "Paste"],
  ["an invitation link", "https://meet.example/c/00#secret.hash", "link"],
  ["any other text", "Ada Lovelace", "begins with"],
  ["a card of a later version", card.replace("card-1", "card-2"), "another version"],
  ["a card without its end", card.slice(0, -10), "damaged"],
  ["a card with something behind it", `${card}AAAA`, "damaged"],
  ["a card with letters that are none of its alphabet", `${card.slice(0, -1)}!`, "damaged"],
  ["a text without end", "x".repeat(100_000), "too long"],
])("%s is refused, and the message says what is wrong", async (_, text, words) => {
  await expect(parseCard(text, checker)).rejects.toMatchObject({
    code: "invalid-card",
    message: expect.stringContaining(words),
  })
})

test("no changed letter makes a card of somebody else", async () => {
  const start = card.indexOf(".") + 1
  for (let at = start; at < card.length; at++) {
    const other = card[at] === "A" ? "B" : "A"
    const changed = card.slice(0, at) + other + card.slice(at + 1)
    await expect(parseCard(changed, checker), changed).rejects.toMatchObject({ code: "invalid-card" })
  }
})
