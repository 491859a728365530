import { type ChildProcess, type ExecFileOptions, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { QUICK_START } from './quick-start.ts'

const MAIN = path.join(import.meta.dirname, '..', 'cli', 'main.ts')

export interface CommandLineRun {
  status: number
  output: string
  errors: string
}

/** Runs the CLI with these arguments in a child process. */
export function runCommandLine(words: string[], options: ExecFileOptions = {}): Promise<CommandLineRun> {
  const { NODE_COMPILE_CACHE } = process.env
  const env = options.env ? { NODE_COMPILE_CACHE, ...options.env } : process.env
  return new Promise((resolve) => {
    const runOptions = { ...options, env, encoding: 'utf8' } as const
    execFile(process.execPath, [QUICK_START, MAIN, ...words], runOptions, (error, output, errors) =>
      resolve({ status: error ? Number(error.code) : 0, output, errors }),
    )
  })
}

/** Starts the CLI in a child process, to be killed. */
export function startCommandLine(
  words: string[],
  { env }: { env: NodeJS.ProcessEnv },
): { child: ChildProcess; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [QUICK_START, MAIN, ...words], { env, stdio: 'ignore' })
  return { child, ended: once(child, 'exit') }
}
