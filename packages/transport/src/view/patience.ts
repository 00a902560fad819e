import { FULL_MESH_MAX } from "../bounds/overlay-bounds.ts"

/**
 * Factor of all timeouts for view changes and key agreements between so many members. Beyond a full mesh messages pass
 * several members, and each may be busy.
 */
export function patienceFactor(members: number): number {
  return Math.max(1, members / FULL_MESH_MAX)
}
