// A conference's room is a Socket.IO room, and so is each address in it. So the adapter carries their messages between
// processes, and removes a connection when it closes. The prefixes keep both apart from the room that Socket.IO creates
// for every connection under its id.
export const roomChannel = (room: string): string => `room:${room}`
export const addressChannel = (room: string, address: string): string => `address:${room}:${address}`
