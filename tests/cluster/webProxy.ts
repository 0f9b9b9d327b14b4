import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './postgres.ts'
import { freePort, type Running, startProgram } from './programs.ts'
import { substitute } from './shippedFile.ts'

const DEPLOY = 'src/server/ops/deploy'

export interface WebProxy extends Running {
  /** With https. */
  address: string
}

type StartWebProxy = (folder: string, ports: number[]) => Promise<WebProxy>

/** HAProxy as shipped, before two servers at ports of this machine. */
export const startHaproxy: StartWebProxy = async (folder, ports) => {
  const port = await freePort()
  const { both } = makeCertificate(folder)
  const file = join(folder, 'haproxy.cfg')
  const text = substitute(`${DEPLOY}/haproxy.cfg`, {
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/tls.pem': both,
    ...serversAt(ports),
  })
  writeFileSync(file, text)
  return untilReady(startProgram('haproxy', '-db', '-f', file), port)
}

/** nginx as shipped, before two servers at ports of this machine. */
export const startNginx: StartWebProxy = async (folder, ports) => {
  const port = await freePort()
  const { certificate, key } = makeCertificate(folder)
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx_${name};`,
  )
  const text = substitute(`${DEPLOY}/nginx.conf`, {
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/nginx/tls/certificate.pem': certificate,
    '/etc/nginx/tls/key.pem': key,
    // Only root may write to the folders of Debian's package.
    'access_log off;': `access_log off;\n  ${temporary.join('\n  ')}`,
    ...serversAt(ports),
  })
  writeFileSync(file, text)
  chmodSync(folder, 0o777)
  const options = `daemon off; pid ${folder}/nginx.pid; error_log stderr;`
  return untilReady(startProgram('nginx', '-e', 'stderr', '-c', file, '-g', options), port)
}

const serversAt = ([first, second]: number[]) => ({
  'app1:3000': `127.0.0.1:${first}`,
  'app2:3000': `127.0.0.1:${second}`,
})

async function untilReady(running: Running, port: number): Promise<WebProxy> {
  // Its certificate is nobody's.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const address = `https://127.0.0.1:${port}`
  await until(async () => (await fetch(`${address}/readyz`)).status === 200, 60).catch((error) => {
    throw new Error(`${error.message} ${running.output()}`)
  })
  return { ...running, address }
}

/** Files with a certificate that this makes, its key, and both, which the user of the proxies can read. */
function makeCertificate(folder: string): { certificate: string; key: string; both: string } {
  const [certificate, key, both] = ['certificate.pem', 'key.pem', 'tls.pem'].map((name) => join(folder, name))
  const options =
    '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=casework.example.org'
  execFileSync('openssl', ['req', ...options.split(' '), '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  })
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  for (const file of [key, both]) chmodSync(file, 0o644)
  return { certificate, key, both }
}
