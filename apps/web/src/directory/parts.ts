/** One chunk for all parts of the directory. */
export { DirectoryEntry } from "./DirectoryEntry.tsx"
export { FindPeople } from "./FindPeople.tsx"
export { NamedConferences } from "./NamedConferences.tsx"
export { withDirectory } from "./useDirectory.ts"
