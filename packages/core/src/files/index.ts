export { FileExchange, type Offering } from "./exchange.ts"
export { type FetchProgress } from "./fetching.ts"
export { type OwnedTicket } from "./ticket.ts"
