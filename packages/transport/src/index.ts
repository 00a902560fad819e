export * from "./ids.ts"
export * from "./credentials.ts"
