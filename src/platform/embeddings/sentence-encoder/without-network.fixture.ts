import dns from 'node:dns'
import net from 'node:net'

/** Runs the model in a thread in which every use of the network fails. */
const refuse = () => {
  throw new Error('The model used the network.')
}
net.Socket.prototype.connect = refuse
Object.assign(dns, { lookup: refuse })
globalThis.fetch = refuse

await import('./thread.ts')
