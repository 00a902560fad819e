export { createToyGroup } from "./toy-group.ts"
