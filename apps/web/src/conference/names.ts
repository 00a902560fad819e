import type { Member } from "@keymoot/core"
import type { TFunction } from "i18next"
import type { Comings } from "../session/order.ts"

/** "Ada, Bob and Eve", in the language of the page. */
export function listNames(members: readonly Member[], language: string): string {
  return new Intl.ListFormat(language).format(members.map((member) => member.name))
}

/** "Ada joined. Dan is back. Bob and Eve left. Lost the connection to Carl." */
export function describeChange(change: Comings, t: TFunction, language: string): string {
  const { joined, returned, lost } = change
  const left = change.left.filter(({ id }) => !lost.some((member) => member.id === id))
  const sentences: string[] = []
  if (joined.length > 0) sentences.push(t("news.joined", { count: joined.length, names: listNames(joined, language) }))
  if (returned.length > 0)
    sentences.push(t("news.returned", { count: returned.length, names: listNames(returned, language) }))
  if (left.length > 0) sentences.push(t("news.left", { count: left.length, names: listNames(left, language) }))
  if (lost.length > 0) sentences.push(t("news.lost", { names: listNames(lost, language) }))
  return sentences.join(" ")
}
