import type { Fail, Run } from "./record.ts"

/**
 * Properties 18 to 20, after calm. All members are in one view, each message sent in it has been delivered by all, and
 * all hold its key.
 */
export function judgeCalm({ calm, last, sent, keyed }: Run, fail: Fail): void {
  if (!calm || calm.D.length === 0) return
  const stays = calm.D.map((name) => last.get(name))
  const views = new Set(stays.map((stay) => stay?.view.id))
  const view = stays[0]?.view
  if (views.size !== 1 || !view || view.D.join() !== calm.D.join()) {
    const shown = stays.map((stay, i) => `${calm.D[i]}: {${stay?.view.D.join(" ")}} ${stay?.view.n}`).join("; ")
    return fail("18 precision", `after calm ${shown}`)
  }
  for (const { m, service, view: sentIn } of sent.values()) {
    if (sentIn !== view.id || service === "unreliable") continue
    for (const stay of stays) {
      if (stay!.position.has(m)) continue
      fail(service === "safe" ? "20 safe by all" : "19 delivered by all", `${stay!.member} lacks ${m}`)
    }
  }
  if (keyed.size === 0) return
  const without = calm.D.filter((name) => !keyed.get(view.id)?.has(name))
  if (without.length > 0) fail("keyed after calm", `${without.join(" ")} without the key of ${view.id}`)
}
