export * from "./api.ts"
