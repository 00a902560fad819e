export { type ViewId } from "./codec.ts"
export * from "./frame.ts"
export * from "./messages.ts"
