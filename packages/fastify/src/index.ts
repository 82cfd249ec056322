/** Serve a Sigil server over Streamable HTTP. */
export {};
