import type { Member } from "@keymoot/core"
import type { TFunction } from "i18next"
import { isolated } from "../i18n/isolated.ts"
import type { Comings } from "../session/order.ts"

/** People that a banner names; beyond, it counts them. */
export const NAMED_MAX = 3

/** "Ada, Bob and Eve", in the language of the page. */
export function listNames(members: readonly Pick<Member, "name">[], language: string): string {
  return new Intl.ListFormat(language).format(members.map(({ name }) => isolated(name)))
}

/** "Ada joined. Dan is back. Bob and Eve left. A host removed Mallory. Lost the connection to Carl." */
export function describeChange(change: Comings, t: TFunction, language: string): string {
  const { joined, returned, lost, removed, roles = [], renamed = [] } = change
  const left = change.left.filter(({ id }) => ![...lost, ...removed].some((member) => member.id === id))
  const sentences: string[] = []
  if (joined.length > 0) sentences.push(t("news.joined", { count: joined.length, names: listNames(joined, language) }))
  if (returned.length > 0)
    sentences.push(t("news.returned", { count: returned.length, names: listNames(returned, language) }))
  for (const { member, before } of renamed) sentences.push(t("rename.renamed", { before, name: member.name }))
  if (left.length > 0) sentences.push(t("news.left", { count: left.length, names: listNames(left, language) }))
  if (removed.length > 0) sentences.push(t("news.removed", { names: listNames(removed, language) }))
  if (lost.length > 0) sentences.push(t("news.lost", { names: listNames(lost, language) }))
  for (const { self, name, role } of roles)
    sentences.push(self ? t(`room.myRole.${role}`) : t(`room.role.${role}`, { name }))
  return sentences.join(" ")
}
