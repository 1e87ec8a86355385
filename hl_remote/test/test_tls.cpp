// SPDX-License-Identifier: Apache-2.0
// The server with a certificate, made here, asked by OpenSSL itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "hl_remote/web_server.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "web_peer.hpp"

namespace hl_remote {
namespace {

using ::testing::HasSubstr;

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX, SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Freed<SSL, SSL_free>>;

/// A certificate for an hour, signed by itself.
void write_certificate(const std::string& certificate_file, const std::string& key_file) {
  const Key key(EVP_RSA_gen(2048));
  const Certificate certificate(X509_new());
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("robot"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  std::FILE* file = std::fopen(certificate_file.c_str(), "w");
  PEM_write_X509(file, certificate.get());
  std::fclose(file);
  file = std::fopen(key_file.c_str(), "w");
  PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
}

class Tls : public ::testing::Test {
 protected:
  Tls() {
    params.port = 0;
    params.certificate = folder_.path() / "certificate.pem";
    params.key = folder_.path() / "key.pem";
    write_certificate(params.certificate, params.key);
  }

  /// What the server answers to a request over TLS; empty if the connection fails.
  static std::string ask(std::uint16_t port, const std::string& request) {
    const Context context(SSL_CTX_new(TLS_client_method()));
    const Session session(SSL_new(context.get()));
    Peer peer(port);
    SSL_set_fd(session.get(), peer.socket());
    if (SSL_connect(session.get()) != 1) return {};
    SSL_write(session.get(), request.data(), static_cast<int>(request.size()));
    std::string answer(4096, '\0');
    const int size = SSL_read(session.get(), answer.data(), static_cast<int>(answer.size()));
    answer.resize(static_cast<std::size_t>(std::max(0, size)));
    return answer;
  }

  hl_testing::TemporaryFolder folder_;
  WebServer::Params params;
};

}  // namespace

TEST_F(Tls, PageAndSocketAreEncrypted) {
  WebServer server(params);
  server.start({[](ClientId, bool) {}, [](ClientId, std::string_view, bool) {}, [](ClientId) {}, {}});
  EXPECT_THAT(ask(server.port(), "GET / HTTP/1.1\r\nHost: robot\r\n\r\n"), HasSubstr("200 OK"));
  EXPECT_THAT(ask(server.port(),
                  "GET / HTTP/1.1\r\nHost: robot\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                  "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n"),
              HasSubstr("101 Switching Protocols"));
  EXPECT_THAT(Peer(server.port()).ask("/"), ::testing::Not(HasSubstr("200"))) << "without TLS there is no answer";
}

TEST_F(Tls, HalfHandshakesAreClosed) {
  params.handshake_timeout = 0.3;
  WebServer server(params);
  server.start({[](ClientId, bool) {}, [](ClientId, std::string_view, bool) {}, [](ClientId) {}, {}});
  Peer half(server.port());
  half.send(std::string("\x16\x03\x01\x02\x00\x01", 6));  // a ClientHello that never goes on
  half.read_until({});                                    // the server ends it
  EXPECT_THAT(ask(server.port(), "GET / HTTP/1.1\r\nHost: robot\r\n\r\n"), HasSubstr("200 OK"));
}

TEST_F(Tls, FilesThatAreNoneAreNamed) {
  params.certificate = "/nonexistent.pem";
  try {
    WebServer server(params);
    FAIL() << "no certificate, no server";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent.pem"));
  }
}

}  // namespace hl_remote
