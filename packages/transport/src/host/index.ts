export * from "./port.ts"
