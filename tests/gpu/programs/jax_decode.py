# SPDX-License-Identifier: Apache-2.0
"""A jitted JAX step whose thunks XLA puts into a CUDA graph (a command buffer)."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax  # noqa: E402  (after its settings)
import jax.numpy as jnp  # noqa: E402


@jax.jit
def step(x, weights):
    for w_in, w_out in weights:
        h = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
        x = x + jnp.dot(jax.nn.silu(jnp.dot(h, w_in)), w_out)
    return x


def main():
    key = jax.random.PRNGKey(0)
    width, layers = 1024, 6
    weights = [(jax.random.normal(key, (width, 3 * width), jnp.bfloat16) * 0.02,
                jax.random.normal(key, (3 * width, width), jnp.bfloat16) * 0.02) for _ in range(layers)]
    x = jnp.ones((8, width), jnp.bfloat16)
    for _ in range(20):
        x = step(x, weights)
    x.block_until_ready()
    print("done jax", flush=True)


if __name__ == "__main__":
    main()
