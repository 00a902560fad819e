import type { Member } from "@keymoot/core"
import type { TFunction } from "i18next"

/** "Ada, Bob and Eve", in the language of the page. */
export function listNames(members: readonly Member[], language: string): string {
  return new Intl.ListFormat(language).format(members.map((member) => member.name))
}

/** "Ada joined. Bob and Eve left." */
export function describeChange(
  change: { readonly joined: readonly Member[]; readonly left: readonly Member[] },
  t: TFunction,
  language: string,
): string {
  const { joined, left } = change
  const sentences: string[] = []
  if (joined.length > 0) sentences.push(t("news.joined", { count: joined.length, names: listNames(joined, language) }))
  if (left.length > 0) sentences.push(t("news.left", { count: left.length, names: listNames(left, language) }))
  return sentences.join(" ")
}
