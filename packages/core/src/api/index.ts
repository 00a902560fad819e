/**
 * Public interface for applications: plain data and interfaces. `Identity` and `Conference` are the two entry points
 * and implement it.
 */
export * from "./events.ts"
export * from "./members.ts"
export * from "./media.ts"
export * from "./admission-options.ts"
export * from "./views.ts"
export * from "./security.ts"
export * from "./connections.ts"
export * from "./diagnostics.ts"
export * from "./events.ts"
export * from "./modes.ts"
export * from "./channels.ts"
export * from "./listed.ts"
export * from "./documents.ts"
export * from "./shared-files.ts"
export * from "./enter-options.ts"
export * from "./kept.ts"
export * from "./identity-handles.ts"
export * from "./conference-handle.ts"
export * from "./errors.ts"
