import { isWebAssemblyAllowed } from "../shared/web-assembly.ts"
import type { PrimeOrderGroup } from "./prime-order-group.ts"
import { loadSodiumGroup } from "./sodium.ts"

/** ristretto255 over libsodium's WebAssembly, or over noble where that is forbidden; of the two only the one used is loaded. */
export async function loadGroup(): Promise<PrimeOrderGroup> {
  if (isWebAssemblyAllowed()) return loadSodiumGroup()
  const { nobleGroup } = await import("./noble.ts")
  return nobleGroup
}
