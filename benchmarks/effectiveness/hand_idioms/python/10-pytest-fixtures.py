import pytest

from clinic import create_app, db


@pytest.fixture
def app():
    app = create_app({"TESTING": True, "SQLALCHEMY_DATABASE_URI": "sqlite:///:memory:"})
    with app.app_context():
        db.create_all()
        yield app
        db.drop_all()


@pytest.fixture
def client(app):
    return app.test_client()


def test_patients_returns_200(client):
    response = client.get("/patients")
    assert response.status_code == 200
    assert response.get_json() == []
