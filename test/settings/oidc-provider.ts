import { generateKeyPairSync, sign } from 'node:crypto'

/** Whom the provider says that a person is. */
export interface Claims {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
}

/** A provider of OpenID Connect that signs in, without a question, whoever is set as `claims`. */
export class OidcProvider {
  claims: Claims = { sub: 'nobody', email: 'nobody@example.com', email_verified: true }
  /** Says what a forger would: a token with another key, nonce or audience. */
  forge: 'key' | 'nonce' | 'audience' | null = null
  isAway = false
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  private readonly otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  private readonly nonces = new Map<string, string>()
  private readonly server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.answer(request) })

  get issuer(): string {
    return `http://127.0.0.1:${this.server.port}`
  }

  close(): Promise<void> {
    return this.server.stop(true)
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (this.isAway) return new Response(null, { status: 503 })
    if (pathname === '/.well-known/openid-configuration') return Response.json(this.configuration())
    if (pathname === '/jwks')
      return Response.json({ keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] })
    if (pathname === '/authorize') return this.authorize(searchParams)
    if (pathname === '/token') return this.token(new URLSearchParams(await request.text()))
    return new Response(null, { status: 404 })
  }

  private configuration() {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }

  private authorize(query: URLSearchParams): Response {
    const code = Bun.randomUUIDv7()
    this.nonces.set(code, query.get('nonce') ?? '')
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return Response.redirect(back.href, 302)
  }

  private token(form: URLSearchParams): Response {
    const code = form.get('code') ?? ''
    const nonce = this.nonces.get(code)
    if (nonce === undefined || !form.has('code_verifier'))
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    this.nonces.delete(code)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...this.claims,
      ...{ iss: this.issuer, iat: now, exp: now + 300 },
      aud: this.forge === 'audience' ? 'another' : 'project-api',
      nonce: this.forge === 'nonce' ? 'another' : nonce,
    }
    return Response.json({ access_token: 'an access token', token_type: 'Bearer', id_token: this.signed(claims) })
  }

  private signed(claims: object): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}`
    const { privateKey } = this.forge === 'key' ? this.otherKeys : this.keys
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  }
}
