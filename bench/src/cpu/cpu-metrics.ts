export const BUSIEST = "CPU time of the busiest member"
export const ALL = "CPU time of all members together"
export const FLUSH = "CPU time of a member for the flush alone"
