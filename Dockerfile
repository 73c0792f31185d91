# Builds the server binary and copies it into a minimal image.
FROM rust:1-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo build --locked --profile image

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --create-home --home-dir /data sprong
COPY --from=build /src/target/image/sprong /usr/local/bin/sprong
USER sprong
WORKDIR /data
VOLUME /data
ENV SPRONG_ADDR=0.0.0.0:8080 SPRONG_DATABASE=/data/sprong.db SPRONG_LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s CMD ["sprong", "health"]
ENTRYPOINT ["sprong"]
