# Builds the server binary and copies it into a minimal image. The digests name images for amd64 and
# arm64: `docker buildx build --platform linux/amd64,linux/arm64` builds both.
FROM rust:1.95.0-slim-trixie@sha256:e14e87345b4d5964ddcc3491d27ee046a0f23820f340c3c1e24da6880141f7c0 AS build
# The bill of materials has the crates of Cargo.lock, which the last stage lacks.
ARG BUILDKIT_SBOM_SCAN_STAGE=true
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# A layer with the compiled dependencies, which stays while the manifests stay the same.
COPY Cargo.toml Cargo.lock ./
COPY crates/core/Cargo.toml crates/core/
COPY crates/wasm/Cargo.toml crates/wasm/
RUN sed -i '/^\[\[bench\]\]$/,/^$/d' Cargo.toml \
    && mkdir -p src crates/core/src crates/wasm/src \
    && touch src/lib.rs crates/core/src/lib.rs crates/wasm/src/lib.rs \
    && echo 'fn main() {}' | tee build.rs > src/main.rs \
    && cargo build --locked --profile image
COPY . .
# The copied sources may be older than the empty ones.
RUN touch build.rs src/lib.rs src/main.rs crates/core/src/lib.rs && cargo build --locked --profile image

FROM debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
LABEL org.opencontainers.image.title=Sprong \
    org.opencontainers.image.description="Server for two-player abstract games" \
    org.opencontainers.image.licenses="MIT OR Apache-2.0"
RUN useradd --system --uid 10001 --create-home --home-dir /data sprong
COPY --from=build /src/target/image/sprong /usr/local/bin/sprong
USER sprong
WORKDIR /data
VOLUME /data
ENV SPRONG_ADDR=0.0.0.0:8080 SPRONG_DATABASE=/data/sprong.db SPRONG_LOG_FORMAT=json
EXPOSE 8080
# Succeeds while the server is ready, as `/readyz` does.
HEALTHCHECK --interval=15s --timeout=5s CMD ["sprong", "health"]
ENTRYPOINT ["sprong"]
