import type { Service } from "../wire/frame.ts"

/** True for services whose frames have an entry in the ORDER. */
export function isOrdered(service: Service): boolean {
  return service === "agreed" || service === "safe"
}

/** True for services whose frames name their causal past and wait for it. */
export function hasDependencies(service: Service): boolean {
  return service === "causal" || isOrdered(service)
}
