// Socket.IO's rooms carry both a conference's room and, as a room of one, each address in it. So the adapter carries what is
// said there between processes, and forgets a connection when it closes. The prefixes keep both apart from the room that
// Socket.IO makes for every connection under its id.
export const roomChannel = (room: string): string => `room:${room}`
export const addressChannel = (room: string, address: string): string => `address:${room}:${address}`
