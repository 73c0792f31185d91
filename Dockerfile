# Builds the server binary and copies it into a minimal image. The digests name images for amd64 and
# arm64: `docker buildx build --platform linux/amd64,linux/arm64` builds both, without emulation.
FROM --platform=$BUILDPLATFORM rust:1.95.0-slim-trixie@sha256:e14e87345b4d5964ddcc3491d27ee046a0f23820f340c3c1e24da6880141f7c0 AS build
# Lists the crates inside the binary, where scanners of images look for them.
RUN cargo install --locked --version 0.7.7 cargo-auditable
# The architecture of the image: the compiler runs on that of the build machine.
ARG TARGETARCH
ENV CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=x86_64-linux-gnu-gcc
RUN case "$TARGETARCH" in \
        amd64) target=x86_64-unknown-linux-gnu compiler=gcc-x86-64-linux-gnu ;; \
        arm64) target=aarch64-unknown-linux-gnu compiler=gcc-aarch64-linux-gnu ;; \
        *) echo "no image for $TARGETARCH" >&2; exit 1 ;; \
    esac \
    && rustup target add "$target" && echo "$target" > /target \
    && apt-get update \
    && apt-get install -y --no-install-recommends gcc make libc6-dev "$compiler" "libc6-dev-$TARGETARCH-cross" \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# A layer with the compiled dependencies, which stays while the manifests stay the same.
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY crates/core/Cargo.toml crates/core/
COPY crates/wasm/Cargo.toml crates/wasm/
RUN sed -i '/^\[\[bench\]\]$/,/^$/d' Cargo.toml \
    && mkdir -p src crates/core/src crates/wasm/src \
    && touch src/lib.rs crates/core/src/lib.rs crates/wasm/src/lib.rs \
    && echo 'fn main() {}' | tee build.rs > src/main.rs \
    && cargo auditable build --locked --release --target "$(cat /target)"
COPY . .
# The copied sources may be older than the empty ones.
RUN touch build.rs src/lib.rs src/main.rs crates/core/src/lib.rs \
    && cargo auditable build --locked --release --target "$(cat /target)" \
    && mkdir /data && mv "target/$(cat /target)/release/sprong" /sprong

# No program of this stage runs during the build: it may be of another architecture.
FROM debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
LABEL org.opencontainers.image.title=Sprong \
    org.opencontainers.image.description="Server for two-player abstract games" \
    org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build --chown=10001:10001 /data /data
COPY --from=build /sprong /usr/local/bin/sprong
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV SPRONG_ADDR=0.0.0.0:8080 SPRONG_DATABASE=/data/sprong.db SPRONG_LOG_FORMAT=json
EXPOSE 8080
# Succeeds while the server is ready, as `/readyz` does.
HEALTHCHECK --interval=15s --timeout=5s CMD ["sprong", "health"]
ENTRYPOINT ["sprong"]
