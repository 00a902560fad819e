export { MESSAGE_BYTES_MAX } from "./bounds.ts"
export type { MeshConfig, MeshOutput } from "./config.ts"
export type { SecurityCode } from "./connection.ts"
export { Mesh } from "./mesh.ts"
